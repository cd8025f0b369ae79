import { describe, expect, it } from "vitest";
import type { MemoryStats, PlanEvent, PlanState } from "../../../src/domain/plan.ts";
import { advancePlan, type PlanInput } from "../../../src/substrate/planner/plan.ts";
import {
  action,
  call,
  does,
  editing,
  last,
  options,
  quietStats,
  reading,
  reverting,
  running,
  scratching,
  start,
  testing,
  walk,
} from "./calls.ts";
import { subTask } from "./subtask-rows.ts";

const look = reading("src/base.py");
const probe = running("repro.py");
const fix = editing("src/base.py");

/** Steps 1 to n, with memory's counters as `statsAt` says until the plan backtracks. */
function timeline(
  steps: number,
  statsAt: (step: number, reset: number) => Partial<MemoryStats>,
  from: PlanState = start,
): readonly { step: number; backtracked: boolean; stuck: string | null }[] {
  let state = from;
  let reset = 0;
  return Array.from({ length: steps }, (_, index) => {
    const step = index + 1;
    const stats = { ...quietStats, ...statsAt(step, reset) };
    const advance = advancePlan(state, call({ step, stats }), options);
    state = advance.state;
    if (advance.signal.backtrack) reset = step;
    const stuck = advance.log.find((event) => event.type === "stuck");
    return { step, backtracked: advance.signal.backtrack, stuck: stuck?.suppressed ?? null };
  });
}

const editedAt = (steps: readonly number[]) => (step: number, reset: number) => ({
  editsSinceReset: { "base.py": steps.filter((at) => at <= step && at > reset).length },
});
const backtracksOf = (steps: ReturnType<typeof timeline>) =>
  steps.filter(({ backtracked }) => backtracked).map(({ step }) => step);

describe("backtracking", () => {
  it("happens at the sixth edit of one file", () => {
    expect(backtracksOf(timeline(18, editedAt([3, 5, 7, 8, 9, 11])))).toEqual([11]);
  });

  it("waits for the floor, saying so", () => {
    const steps = timeline(17, editedAt([2, 3, 4, 5, 6, 7]));
    expect(backtracksOf(steps)).toEqual([10]);
    expect(steps.slice(5, 9).map(({ stuck }) => stuck)).toEqual([null, "floor", "floor", "floor"]);
  });

  it.each([
    [10, 18],
    [11, 19],
  ])("that happened at step %i is possible again at step %i", (first, next) => {
    const steps = timeline(30, (step) => (step < first ? {} : { readsSinceCheck: 15 }));
    expect(backtracksOf(steps).slice(0, 2)).toEqual([first, next]);
    expect(steps[next - 2]?.stuck).toBe("cooldown");
  });

  it.each([
    [13, [10], null],
    [14, [], "depth"],
    [15, [], "depth"],
  ])("on a stack of %i adds a recovery of three at steps %j", (depth, expected, suppressed) => {
    const stack = Array.from({ length: depth }, (_, index) =>
      subTask({ id: `r1.${index}`, phase: "verify", recovery: 1 }),
    );
    const full = { ...start, stack };
    const steps = timeline(
      10,
      (step) => editedAt([1, 1, 1, 1, 1, 1])(step < 10 ? 0 : step, 0),
      full,
    );
    expect(backtracksOf(steps)).toEqual(expected);
    expect(steps[9]?.stuck).toBe(suppressed);
  });

  const stuckAt10: Partial<PlanInput> = {
    step: 10,
    action: reading("src/other.py"),
    stats: { ...quietStats, editsSinceReset: { "base.py": 6, "src/a.py": 3 } },
  };

  it("fails the active item, opens its recovery and returns to explore", () => {
    const [advance] = walk([stuckAt10], last(walk(does(fix))).state);
    expect(advance?.state.chart).toEqual({
      at: "backtrack",
      proven: false,
      pending: null,
      lastBacktrack: 10,
    });
    expect(advance?.signal).toMatchObject({
      phase: "explore",
      policyPhase: "backtrack",
      tokenBudget: 20_000,
      backtrack: true,
      backtracks: 1,
      recovery: 3,
      done: 0,
      activeSubTask: {
        id: "r1.1",
        phase: "implement",
        files: ["base.py", "src/a.py"],
        position: null,
      },
      failedSubTask: { id: "p1", reason: "base.py was edited 6 times" },
    });
    expect(advance?.log.map(line)).toEqual([
      "stuck repeatedEdits, RT-REFIX: base.py was edited 6 times",
      "implement -> backtrack",
      "p1 failed: base.py was edited 6 times",
      "r1.1 opened: Restore base.py, src/a.py to the committed state (git checkout -- base.py src/a.py)",
      "r1.2 opened: Find out why the earlier edits of base.py, src/a.py did not work",
      "r1.3 opened: Make the smallest fix again, from the clean file",
    ]);
  });

  it("names files of its own making as such", () => {
    const before = last(walk(does(scratching("base.py")))).state;
    const [advance] = walk([stuckAt10], before);
    expect(advance?.signal.activeSubTask?.title).toBe(
      "Restore src/a.py to the committed state (git checkout -- src/a.py); Delete base.py, which is new in this episode",
    );
  });

  it("goes through revert, diagnosis and refix, and then opens the failed item again", () => {
    const begun = walk([stuckAt10], last(walk(does(look))).state);
    const after = walk(
      does(reverting("base.py", "src/a.py"), probe, probe, fix, testing).map((fields, index) => ({
        step: 11 + index,
        ...fields,
      })),
      last(begun).state,
    );
    const active = after.map(({ signal }) => signal.activeSubTask?.id ?? null);
    expect(active).toEqual(["r1.2", "r1.3", "r1.3", "r1.3", null]);
    expect(after.map(({ signal }) => signal.policyPhase)).toEqual([
      "implement",
      "implement",
      "hypothesize",
      "implement",
      "verify",
    ]);
    expect(last(after).signal.failedSubTask).toBeNull();
  });

  it("lasts until the next call's phase decision", () => {
    const begun = last(walk([stuckAt10])).state;
    expect(phasesAfter(begun, null)).toBe("explore");
    expect(phasesAfter(begun, fix)).toBe("implement");
    expect(phasesAfter(begun, look)).toBe("explore");
  });

  function phasesAfter(state: PlanState, one: PlanInput["action"]): string {
    return last(walk([{ step: 11, action: one }], state)).signal.policyPhase;
  }

  it("has only the planner's own count of failures without statistics", () => {
    const failing = Array.from({ length: 12 }, () => ({ action: probe, exitCode: 1, stats: null }));
    expect(walk(failing).findIndex(({ signal }) => signal.backtrack)).toBe(9);
    const decoupled = { ...options, couplings: { statsPlan: false, verdictPlan: true } };
    const saturated = { action: look, stats: { ...quietStats, readsSinceCheck: 40 } };
    const reads = Array.from({ length: 12 }, () => saturated);
    expect(walk(reads, start, decoupled).some(({ signal }) => signal.backtrack)).toBe(false);
  });

  it.each([
    ["grep", 1, 0],
    ["grep", 2, 10],
    ["python", 1, 10],
    ["[", 1, 0],
  ])("counts exit code of %s %i as %i failures in ten calls", (head, exitCode, failures) => {
    const one = action("execute", { head });
    const calls = Array.from({ length: 10 }, () => ({ step: 1, action: one, exitCode }));
    expect(last(walk(calls)).state.failures).toBe(failures);
  });
});

function line(event: PlanEvent): string {
  if (event.type === "phase") return `${event.from} -> ${event.to}`;
  if (event.type === "subtask") return `${event.id} ${event.change}: ${event.reason}`;
  return `stuck ${event.signal}, ${event.template}: ${event.reason}`;
}
