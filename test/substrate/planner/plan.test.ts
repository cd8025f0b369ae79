import { describe, expect, it } from "vitest";
import type { PlanInput } from "../../../src/substrate/planner/plan.ts";
import {
  action,
  does,
  editing,
  last,
  options,
  phasesOf,
  reading,
  running,
  start,
  testing,
  walk,
} from "./calls.ts";

const look = reading("src/base.py");
const probe = running("repro.py");
const fix = editing("src/base.py");
const install = action("setup");

describe("hysteresis", () => {
  const implementing = last(walk(does(fix))).state;

  it.each([
    ["two looks", [look, look], ["implement", "explore"]],
    [
      "a look, a history question, a look",
      [look, action("history"), look],
      ["implement", "implement", "implement"],
    ],
    [
      "a look, an install before any fix, a look",
      [look, null, look],
      ["implement", "implement", "explore"],
    ],
    ["a test run", [testing], ["verify"]],
    ["a second edit between two looks", [look, fix, look], ["implement", "implement", "implement"]],
  ])("after %s", (_name, actions, expected) => {
    const other = reading("src/other.py");
    const calls = actions.map((one) => (one === look ? other : one));
    expect(phasesOf(walk(does(...calls), implementing))).toEqual(expected);
  });

  it("takes hypothesize and then verify at once", () => {
    expect(phasesOf(walk(does(look, probe, fix, testing)))).toEqual([
      "explore",
      "hypothesize",
      "implement",
      "verify",
    ]);
  });

  it("lets an install before any fix change nothing", () => {
    expect(phasesOf(walk(does(look, install, probe, install)))).toEqual([
      "explore",
      "explore",
      "hypothesize",
      "hypothesize",
    ]);
  });
});

describe("completion", () => {
  const upToTest = does(look, look, fix, fix, fix);

  it.each<[string, Partial<PlanInput>, number, string | null]>([
    ["a passing test run", { action: testing }, 4, null],
    ["a passing test run on a pass verdict", { action: testing, verdict: "pass" }, 4, null],
    [
      "a passing test run while the reproduction fails",
      { action: testing, verdict: "fail" },
      3,
      "p4",
    ],
    ["a test run with exit code 1", { action: testing, exitCode: 1 }, 3, "p4"],
    ["a test run with an unknown exit code", { action: testing, exitCode: null }, 3, "p4"],
    [
      "a failure that a pipe hid",
      { action: testing, output: "== 1 failed, 2 passed in 0.1s ==" },
      3,
      "p4",
    ],
    ["a run of its own script", { action: running("repro.py") }, 3, "p4"],
    [
      "a run of its own script, meant to verify",
      { action: running("repro.py"), text: "Now verify the fix" },
      4,
      null,
    ],
    [
      "a run of the admitted reproducer",
      { action: running("/r/repro.py"), reproducer: "/r/repro.py" },
      4,
      null,
    ],
    ["a look at the diff", { action: action("review"), text: "let me verify my fix" }, 3, "p4"],
    [
      "a look at the diff on a pass verdict",
      { action: action("review"), verdict: "pass" },
      4,
      null,
    ],
    ["a printed claim", { action: action("neutral"), text: "All done" }, 2, "p3"],
  ])("after %s", (_name, fields, done, active) => {
    const { signal } = last(walk([...upToTest, fields]));
    expect([signal.done, signal.activeSubTask?.id ?? null]).toEqual([done, active]);
  });

  it("takes any verification step when completion is not strict", () => {
    const loose = { ...options, planner: { ...options.planner, strictCompletion: false } };
    const { signal } = last(walk([...upToTest, { action: action("review") }], start, loose));
    expect(signal.done).toBe(4);
  });

  it("counts no verdict when that coupling is off", () => {
    const decoupled = { ...options, couplings: { statsPlan: true, verdictPlan: false } };
    const { signal } = last(
      walk([...upToTest, { action: testing, verdict: "fail" }], start, decoupled),
    );
    expect([signal.done, signal.verdict]).toEqual([4, "fail"]);
  });
});
