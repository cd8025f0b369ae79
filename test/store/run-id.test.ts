import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import type { Journal } from "../../src/domain/journal.ts";
import { resolveRun, runIdAt, runOfOutput } from "../../src/store/run-id.ts";
import { openJournal } from "../../src/store/sqlite.ts";
import { stoppedClock } from "../stopped-clock.ts";
import { beginEvent } from "../trajectories/recorded-episode.ts";

describe("runIdAt", () => {
  it.each([
    [Date.UTC(2026, 10, 30, 14, 25, 1, 999), [0xab, 0x12, 0x99], "20261130-142501-ab12"],
    [Date.UTC(2026, 0, 2, 3, 4, 5), [0, 7], "20260102-030405-0007"],
  ])("%d", (at, random, id) => {
    expect(runIdAt(at, Uint8Array.from(random))).toBe(id);
  });
});

describe("resolveRun", () => {
  let journal: Journal;
  const record = async (...ids: readonly string[]) => {
    const clock = stoppedClock();
    journal = openJournal(":memory:", clock);
    for (const id of ids) {
      await journal.append(id, [beginEvent(id)]);
      clock.advance(1000);
    }
  };
  afterEach(() => journal.close());

  const ids = ["20261130-142501-ab12", "20261130-142501-cd34", "20261201-090000-ef56"] as const;

  it.each([
    ["last", ids[2]],
    [ids[0], ids[0]],
    ["20261130-142501-c", ids[1]],
    ["202612", ids[2]],
  ])("%s", async (text, run) => {
    await record(...ids);
    expect(await resolveRun(journal, text)).toBe(run);
  });

  it.each([
    [
      "20261130",
      `2 runs start with "20261130"; expected an id, a prefix of one id, last, or an output folder. They are ${ids[1]}, ${ids[0]}.`,
    ],
    [
      "2027",
      `No run starts with "2027"; expected an id, a prefix of one id, last, or an output folder. The newest are ${ids[2]}, ${ids[1]}, ${ids[0]}.`,
    ],
    ["", 'No run starts with ""'],
  ])("%j is refused", async (text, message) => {
    await record(...ids);
    await expect(resolveRun(journal, text)).rejects.toThrow(message);
    await expect(resolveRun(journal, text)).rejects.toThrow(
      expect.objectContaining({ code: "usage" }),
    );
  });

  it("takes an id before ids that it is a prefix of, and names only a few", async () => {
    await record("r1", ...Array.from({ length: 9 }, (_, n) => `r1${n}`));
    expect(await resolveRun(journal, "r1")).toBe("r1");
    await expect(resolveRun(journal, "r")).rejects.toThrow("They are r18, r17, r16, r15, r14, ….");
  });

  it("says that there is none yet", async () => {
    await record();
    await expect(resolveRun(journal, "last")).rejects.toThrow(
      'No run "last": nothing is recorded here yet. Start one with pmcoder run.',
    );
  });
});

describe("runOfOutput", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pmcoder-output-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("names the run of an output folder and its database", () => {
    writeFileSync(join(folder, "summary.json"), '{"run": "r1", "steps": 3, "db": "/s/pmcoder.db"}');
    expect(runOfOutput(folder, ".")).toEqual({ run: "r1", db: "/s/pmcoder.db" });
    expect(runOfOutput("/", folder)).toEqual({ run: "r1", db: "/s/pmcoder.db" });
  });

  it("is null for anything else", () => {
    expect(runOfOutput(folder, "last")).toBeNull();
    expect(runOfOutput(folder, "")).toBeNull();
  });

  it.each([
    ['{"run": "r1", "db"', /^Cannot read .*summary\.json: /],
    ['{"steps": 3}', /names no run and no database/],
  ])("refuses %s", (text, message) => {
    writeFileSync(join(folder, "summary.json"), text);
    expect(() => runOfOutput(folder, ".")).toThrow(message);
    expect(() => runOfOutput(folder, ".")).toThrow(PmcoderError);
  });
});
