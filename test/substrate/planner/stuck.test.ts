import { describe, expect, it } from "vitest";
import { StuckConfig } from "../../../src/domain/config/planner.ts";
import type { MemoryStats } from "../../../src/domain/plan.ts";
import { countersOf, stuckBy } from "../../../src/substrate/planner/stuck.ts";
import { quietStats } from "./calls.ts";

const rules = StuckConfig.parse({});
const signalOf = (stats: Partial<MemoryStats>) =>
  stuckBy(countersOf({ ...quietStats, ...stats }, 0, rules), rules);

describe("stuckBy", () => {
  it.each<[Partial<MemoryStats>, string | null, string]>([
    [{ consecutiveFailures: 4 }, null, ""],
    [{ consecutiveFailures: 5 }, "failedReturns", "5 commands in a row failed"],
    [{ editsSinceReset: { "a.py": 5, "b.py": 5 } }, null, ""],
    [{ editsSinceReset: { "a.py": 5, "b.py": 6 } }, "repeatedEdits", "b.py was edited 6 times"],
    [{ readsSinceCheck: 14 }, null, ""],
    [{ readsSinceCheck: 15 }, "readSaturation", "15 reads without a passing test"],
    [{ actionCount: { ls: 7, pwd: 7 } }, null, ""],
    [{ actionCount: { ls: 8 } }, "repeatedAction", "the same command was run 8 times"],
    [
      {
        readsSinceCheck: 15,
        actionCount: { ls: 8 },
        consecutiveFailures: 5,
        editsSinceReset: { a: 6 },
      },
      "repeatedEdits",
      "a was edited 6 times",
    ],
    [
      { readsSinceCheck: 15, actionCount: { ls: 8 }, consecutiveFailures: 5 },
      "failedReturns",
      "5 commands in a row failed",
    ],
    [
      { readsSinceCheck: 15, actionCount: { ls: 8 } },
      "repeatedAction",
      "the same command was run 8 times",
    ],
  ])("of %j is %s", (stats, signal, reason) => {
    expect(signalOf(stats)).toEqual(signal === null ? null : { signal, reason });
  });
});

describe("countersOf", () => {
  it("knows the planner's own failures alone without statistics", () => {
    const counters = countersOf(null, 5, rules);
    expect(counters).toEqual({ edits: null, failures: 5, actions: null, reads: 0, heavy: [] });
    expect(stuckBy(counters, rules)?.signal).toBe("failedReturns");
  });

  it("prefers memory's statistics to its own count", () => {
    expect(countersOf({ ...quietStats, consecutiveFailures: 1 }, 5, rules).failures).toBe(1);
  });

  it("calls three edits or a broken file heavy, the worst three first", () => {
    const editsSinceReset = { "d.py": 3, "a.py": 3, "b.py": 4, "c.py": 2 };
    expect(countersOf({ ...quietStats, editsSinceReset }, 0, rules).heavy).toEqual([
      "b.py",
      "a.py",
      "d.py",
    ]);
    const corrupt = ["a.py", "z.py"];
    expect(
      countersOf({ ...quietStats, editsSinceReset: { "a.py": 3 }, corrupt }, 0, rules).heavy,
    ).toEqual(["a.py", "z.py"]);
  });

  it("breaks a tie by name", () => {
    expect(
      countersOf({ ...quietStats, actionCount: { b: 2, a: 2, c: 1 } }, 0, rules).actions,
    ).toEqual({
      name: "a",
      n: 2,
    });
  });
});
