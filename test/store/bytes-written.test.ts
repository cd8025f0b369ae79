import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { writeOutput } from "../../src/store/files.ts";
import { openJournal } from "../../src/store/sqlite.ts";
import { miniTrajectory } from "../../src/trajectories/export.ts";
import { capable } from "../capabilities.ts";
import {
  beginEvent,
  call,
  observed,
  promptEvent,
  reply,
} from "../trajectories/recorded-episode.ts";

const counters = "/proc/self/io";
const steps = 250;

/** Bytes that this process has given to write calls. */
function written(): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(counters, "utf8"))?.[1]);
}

/** Real source text, as observations are. */
const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .sort()
  .map((name) => readFileSync(join("src", name), "utf8"))
  .join("");

/** The appends of a run as the loop makes them: a reply with its command, then what it showed. */
function appends(command: string, outputChars: number): readonly (readonly EpisodeEvent[])[] {
  const turns = Array.from({ length: steps }, (_, n) => {
    const step = n + 1;
    const from = (n * 977) % (sources.length - 4000);
    const id = `toolu_${step.toString(36).padStart(20, "0")}`;
    return [
      [
        reply(step, sources.slice(from, from + outputChars / 10), [call(id, command)]),
        { type: "command", step, callId: id, command },
      ],
      [observed(step, id, sources.slice(from, from + outputChars))],
    ] as const;
  });
  return [[beginEvent("r1")], [promptEvent], ...turns.flat()];
}

describe.runIf(capable("procfs", () => existsSync(counters)))("a run of 250 steps", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pmcoder-bytes-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ["observations of 2 kB", "sed -n '1,60p' src/agent/loop.ts", 2000],
    ["empty observations", "true", 0],
  ])(
    "with %s writes at most three times its trajectory, which is one of the three",
    async (_name, command, chars) => {
      const before = written();
      const journal = openJournal(join(folder, "pmcoder.db"), { now: () => 1_800_000_000_000 });
      for (const events of appends(command, chars)) await journal.append("r1", events);
      const trajectory = miniTrajectory(await journal.read("r1"), "");
      await journal.close();
      writeOutput(folder, "trajectory.json", trajectory);
      const size = readFileSync(join(folder, "trajectory.json")).length;
      const ratio = (written() - before) / size;
      expect(ratio).toBeGreaterThan(1);
      expect(ratio).toBeLessThanOrEqual(3);
    },
  );
});
