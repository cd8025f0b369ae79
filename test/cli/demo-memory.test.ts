import { expect, it } from "vitest";
import type { RecordedEvent } from "../../src/domain/episode.ts";
import { pmcoder, world } from "./run-world.ts";

it("the demo's second issue is told, stage by stage, what the first one taught", async () => {
  const { code, out, err } = await pmcoder(world(), ["demo", "--memory", "--json"]);
  expect(code, err).toBe(0);

  const lines: readonly unknown[] = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const events = lines.filter((line): line is RecordedEvent => Object.hasOwn(Object(line), "seq"));
  const [first = "", second = ""] = new Set(events.map(({ run }) => run));
  const told = (run: string) =>
    events.flatMap((event) =>
      event.run === run && event.type === "experience" && event.block !== null
        ? [`${event.phase}: ${event.recalled.map(({ stage }) => stage).join(", ")}`]
        : [],
    );
  expect(told(first)).toEqual([]);
  expect(told(second)).toEqual(["explore: loc", "implement: gen", "verify: val, val"]);

  const blocks = events.flatMap((event) => (event.type === "experience" ? [event.block] : []));
  expect(blocks.join("\n")).toContain("Changed in the end: src/parse.js");
  expect(blocks.join("\n")).toContain("throw new RangeError(`not a duration:");
  expect(err.match(/^Tests after: \d+ pass, 0 fail\.$/gm)).toHaveLength(2);
  expect(err.match(/^[0-9a-f]{10} +(?:loc|gen|val) .* 1 +1 +0 /gm)).toHaveLength(4);
});
