import { describe, expect, it } from "vitest";
import { fires, memoryKey, noBlockYet, planKey } from "../../../src/substrate/injection/firing.ts";
import { emptyStats } from "../../../src/substrate/memory/statistics.ts";
import { config, plan } from "./offers.ts";

describe("planKey", () => {
  it.each([
    { phase: "verify" },
    { policyPhase: "backtrack" },
    { activeSubTask: null },
    { done: 1 },
    { total: 5 },
    { backtracks: 1 },
    { verdict: "fail" },
  ] as const)("changes with %j", (change) => {
    expect(planKey({ ...plan, ...change })).not.toBe(planKey(plan));
  });

  it("does not change with what every step changes", () => {
    expect(planKey({ ...plan, step: 9, mostTouched: ["a.py"], tokenBudget: 1 })).toBe(
      planKey(plan),
    );
  });
});

describe("memoryKey", () => {
  const key = (stats: object, focus: readonly string[]) =>
    memoryKey({ ...emptyStats, ...stats }, focus, config);
  const base = key({}, ["a.py", "b.py"]);

  it.each([
    ["the order of the files in focus", {}, ["b.py", "a.py"], true],
    ["another file in focus", {}, ["a.py", "c.py"], false],
    ["two failures", { consecutiveFailures: 2 }, ["a.py", "b.py"], true],
    ["a third failure", { consecutiveFailures: 3 }, ["a.py", "b.py"], false],
    ["a file edited", { editCount: { "a.py": 1 } }, ["a.py", "b.py"], false],
  ])("takes %s into account: %j %j is the same: %j", (_, stats, focus, isSame) => {
    expect(key(stats, focus) === base).toBe(isSame);
  });

  it("counts an edited file once, however often it was edited", () => {
    const once = key({ editCount: { "a.py": 1 } }, []);
    expect(key({ editCount: { "a.py": 7 } }, [])).toBe(once);
  });
});

describe("fires", () => {
  const shown = { ...noBlockYet, key: "k", step: 10 };

  it.each([
    ["before the first block", noBlockYet, { key: "k", step: 1, interval: 5 }, true],
    ["on the same key", shown, { key: "k", step: 20, interval: 5 }, false],
    ["on another key too soon", shown, { key: "l", step: 14, interval: 5 }, false],
    ["on another key in time", shown, { key: "l", step: 15, interval: 5 }, true],
    ["at once without an interval", shown, { key: "l", step: 10, interval: 0 }, true],
  ])("%s", (_, state, moment, expected) => {
    expect(fires(state, moment)).toBe(expected);
  });
});
