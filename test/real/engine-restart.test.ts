import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordedEvent } from "../../src/domain/episode.ts";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { type Running, startPmcoder, until } from "../cli/run-process.ts";
import {
  fix,
  issue,
  onlyRun,
  readText,
  replayOf,
  submit,
  summaryIn,
  world,
} from "../cli/run-world.ts";
import { works as hasDocker, IMAGE } from "../environments/docker-places.ts";
import { copyImage, hasDockerd, PrivateEngine } from "../environments/private-engine.ts";

const engine = new PrivateEngine();
afterAll(() => engine.remove());

const eventsOf = ({ out }: Running): readonly RecordedEvent[] =>
  out()
    .split("\n")
    .filter((line) => line.startsWith('{"type"'))
    .map((line) => JSON.parse(line) as RecordedEvent);

/** `pmcoder run --json` on a repository of its own, in a container of the engine. */
function startRun(...commands: readonly string[]) {
  const at = world();
  const model = replayOf(at, ...commands, submit);
  const flags = ["--environment", "docker", "--image", IMAGE, "--repo", at.repo, "--json"];
  const running = startPmcoder(at, ["run", issue, "--model", model, ...flags], { env: engine.env });
  return { at, running };
}

describe.runIf(hasDocker && hasDockerd)("an engine that stops in the middle of a run", () => {
  beforeAll(async () => {
    await engine.start();
    await copyImage(IMAGE, engine);
  }, 240_000);

  it.each([
    ["SIGKILL", /the Docker engine at unix:\S+ does not answer any more/],
    ["SIGTERM", /the container ended with status \d+|does not answer any more/],
  ] as const)(
    "by %s ends it at once; on the engine started anew the next run works, and this one goes on",
    {
      timeout: 240_000,
    },
    async (signal, reason) => {
      const { at, running } = startRun(fix, "sleep 123", "echo never");
      await until(() => running.out().includes('"command":"sleep 123"'), running);
      await engine.stop(signal);
      expect(await running.ended).toBe(5);
      const events = eventsOf(running);
      const after = events.slice(events.findIndex(({ type }) => type === "observation") + 1);
      const replies = after.filter(({ type }) => type === "reply");
      expect(replies).toHaveLength(1);
      const end = events.at(-1);
      expect(end).toMatchObject({ type: "end", status: "environment_lost" });
      expect(end?.type === "end" ? end.reason : "").toMatch(reason);
      const folder = onlyRun(at);
      expect(summaryIn(folder)).toMatchObject({
        exit_status: "environment_lost",
        exit_code: 5,
        model_calls: { act: 2 },
      });
      expect(readText(folder, "trajectory.json")).toContain(fix);
      expect(readText(folder, "patch.diff")).toContain("+answer = 42");

      await engine.start();
      const next = startRun(fix);
      expect([await next.running.ended, next.running.err()]).toEqual([0, ""]);
      expect(readText(onlyRun(next.at), "patch.diff")).toContain("+answer = 42");

      const again = startPmcoder(at, ["resume", "last"], { env: engine.env });
      expect(await again.ended, again.err()).toBe(0);
      expect(summaryIn(folder)).toMatchObject({ exit_status: "submitted", steps: 4 });
      expect(readText(folder, "patch.diff")).toContain("+answer = 42");
      const { docker } = await connectEngine(engine.env);
      expect(await docker.listContainers({ all: true })).toEqual([]);
    },
  );
});
