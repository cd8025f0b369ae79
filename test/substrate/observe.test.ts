import { describe, expect, it } from "vitest";
import { beginning, type Call, edit, last, phases, read, test, walk } from "./episode.ts";

const fix = edit("src/base.py");

describe("the phase", () => {
  it.each<[string, readonly Call[], string]>([
    ["two reads", [read("src/a.py"), read("src/b.py")], "explore"],
    ["one read", [read("src/a.py")], "implement"],
    [
      "a read, a question of history, a read",
      [read("src/a.py"), "git blame src/a.py", read("src/b.py")],
      "implement",
    ],
    [
      "a read, a turn without a call, a read",
      [read("src/a.py"), { command: null, exitCode: null }, read("src/b.py")],
      "explore",
    ],
    ["a test run", [test], "verify"],
    ["a second edit", [read("src/a.py"), fix, read("src/b.py")], "implement"],
  ])("after an edit and %s is decided with hysteresis", (_, calls, expected) => {
    expect(phases(walk([fix, ...calls])).at(-1)).toBe(expected);
  });

  it("goes on at once from hypothesize to verify", () => {
    expect(phases(walk([read("src/a.py"), "python repro.py", fix, test]))).toEqual([
      "explore",
      "hypothesize",
      "implement",
      "verify",
    ]);
  });
});

describe("sub-tasks", () => {
  const upToTest = [read("src/a.py"), read("src/b.py"), fix, fix, fix];
  const done = (calls: readonly Call[]) =>
    walk(calls).map(({ advice }) => `${advice.signal?.done} ${advice.signal?.activeSubTask?.id}`);

  it("close with evidence, or after three calls past their phase without any", () => {
    expect(done(upToTest)).toEqual(["0 p1", "0 p1", "1 p2", "1 p2", "2 p3"]);
  });

  it.each<[string, Call, string]>([
    ["a passing test run", test, "4 undefined"],
    [
      "a passing test run while the reproduction fails",
      { command: test, evidence: { verdict: "fail" } },
      "3 p4",
    ],
    ["a failing test run", { command: test, exitCode: 1 }, "3 p4"],
    [
      "a failure that a pipe hid",
      { command: `${test} | tail -3`, output: "== 1 failed, 2 passed in 0.1s ==\n" },
      "3 p4",
    ],
    ["a test run without an exit code", { command: test, exitCode: null }, "3 p4"],
    ["a printed claim", "echo verified", "2 p3"],
  ])("after %s", (_, call, expected) => {
    expect(done([...upToTest, call]).at(-1)).toBe(expected);
  });

  it("close at once where a test run comes early", () => {
    expect(done([...upToTest.slice(0, 3), test]).at(-1)).toBe("4 undefined");
  });
});

describe("the stuck check", () => {
  /** Edits of one file at these steps, other files read in between. */
  const editsAt = (steps: readonly number[], until: number) =>
    Array.from({ length: until }, (_, at) =>
      steps.includes(at + 1) ? fix : read(`src/f${at}.py`),
    );
  const stuckAt = (calls: readonly Call[], from = beginning()) =>
    walk(calls, from).flatMap(({ step, advice: { stuck } }) =>
      stuck ? [`${step} ${stuck.signal} ${stuck.suppressed ?? stuck.template}`] : [],
    );

  it("backtracks at the sixth edit of a file", () => {
    const calls = editsAt([3, 5, 7, 8, 9, 11], 12);
    expect(stuckAt(calls)).toEqual(["11 repeatedEdits RT-REFIX"]);
    expect(last(walk(calls.slice(0, 11))).advice.signal).toMatchObject({
      phase: "explore",
      policyPhase: "backtrack",
      recovery: 3,
      backtracks: 1,
    });
  });

  it("waits for the floor, and then for the cooldown", () => {
    const calls = editsAt([2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16], 19);
    expect(stuckAt(calls)).toEqual([
      "7 repeatedEdits floor",
      "8 repeatedEdits floor",
      "9 repeatedEdits floor",
      "10 repeatedEdits RT-REFIX",
      "16 repeatedEdits cooldown",
      "17 repeatedEdits cooldown",
      "18 repeatedEdits RT-REFIX",
    ]);
  });

  it.each([
    [14, "11 repeatedEdits depth"],
    [13, "11 repeatedEdits RT-REFIX"],
  ])("keeps the goal stack within its depth, from %i open goals", (depth, expected) => {
    const { state } = last(walk(editsAt([3, 5, 7, 8, 9], 10)));
    const goal = state.plan?.queue[0];
    if (!state.plan || !goal) throw new Error("no plan");
    const stack = Array.from({ length: depth }, (_, at) => ({
      ...goal,
      phase: "verify" as const,
      id: `r1.${at}`,
    }));
    const deep = { ...state, plan: { ...state.plan, stack } };
    expect(stuckAt([{ command: fix, index: 11 }], deep)).toEqual([expected]);
  });

  it("starts every count anew after a backtrack", () => {
    const { state } = last(walk(editsAt([3, 5, 7, 8, 9, 11], 11)));
    expect(state.memory?.stats).toMatchObject({
      editsSinceReset: {},
      actionCount: {},
      readsSinceEdit: 0,
      readsSinceCheck: 0,
      consecutiveFailures: 0,
      editCount: { "src/base.py": 6 },
    });
  });

  it("counts a corrupt file as heavily edited", () => {
    const failing = Array.from({ length: 9 }, (): Call => ({ command: test, exitCode: 2 }));
    const broken: Call = {
      command: fix,
      exitCode: 2,
      evidence: { checked: ["src/base.py"], corrupt: ["src/base.py"] },
    };
    expect(stuckAt([...failing, broken]).at(-1)).toBe("10 failedReturns RT-REFIX");
    expect(stuckAt([...failing, { command: fix, exitCode: 2 }]).at(-1)).toBe(
      "10 failedReturns RT-DIAG",
    );
  });
});
