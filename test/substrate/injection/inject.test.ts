import { describe, expect, it } from "vitest";
import type { ExportedSignal } from "../../../src/domain/plan.ts";
import { noBlockYet } from "../../../src/substrate/injection/firing.ts";
import { inject } from "../../../src/substrate/injection/inject.ts";
import { emptyStats } from "../../../src/substrate/memory/statistics.ts";
import { blocks, churned, config, offer, plan, recalling } from "./offers.ts";

describe("inject, with plan and memory", () => {
  const implement: ExportedSignal = { ...plan, phase: "implement", policyPhase: "implement" };
  const failing: ExportedSignal = { ...implement, verdict: "fail" };
  const backtracking: ExportedSignal = {
    ...failing,
    phase: "explore",
    policyPhase: "backtrack",
    backtracks: 1,
    backtrack: true,
  };

  it("fires when the plan changes, shows a node once, and says why where it shows less", () => {
    const shown = blocks([
      { step: 1, memory: recalling(5) },
      { step: 2, memory: recalling(12, 5, 3) },
      { step: 7, signal: implement, memory: recalling(12, 5, 3) },
      { step: 8, signal: failing, memory: recalling(12, 5, 3) },
      { step: 11, signal: backtracking, memory: recalling(5, 12) },
    ]);
    expect(shown[1]).toBeNull();
    expect(shown.filter((block) => block !== null).join("\n")).toMatchInlineSnapshot(`
      "[PLANMEM]
      phase=explore subtask=1/4 "Find the code" done=0/4 verdict=undefined files=base.py(4),other.py(2)
      mem #5 f5.py: line 5
      | more
      [/PLANMEM]
      [PLANMEM]
      phase=implement subtask=1/4 "Find the code" done=0/4 verdict=undefined files=base.py(4),other.py(2)
      note: base.py edited 3 times since the last passing check
      mem #12 f12.py: line 12
      | more
      mem #3 f3.py: line 3
      | more
      [/PLANMEM]
      [PLANMEM]
      phase=implement subtask=1/4 "Find the code" done=0/4 verdict=fail files=base.py(4),other.py(2)
      note: base.py edited 3 times since the last passing check
      [/PLANMEM]
      [PLANMEM]
      phase=backtrack subtask=1/4 "Find the code" done=0/4 verdict=fail files=base.py(4),other.py(2)
      mem #5 f5.py: line 5
      | more
      mem #12 f12.py: line 12
      | more
      [/PLANMEM]"
    `);
  });

  it("does not fill the places of nodes that were shown before", () => {
    const [, second] = blocks([
      { memory: recalling(1, 2, 3, 4) },
      { signal: implement, memory: recalling(1, 2, 3, 9, 10, 11) },
    ]);
    expect(second?.match(/mem #\d+/g)).toEqual(["mem #9"]);
  });

  it("tells of a failed sub-task rather than of churn, and of little churn nothing", () => {
    const failedSubTask = { id: "p1", title: "Find it", keywords: [], reason: "read 15 times" };
    const calm = { ...recalling(), stats: { ...churned, editsSincePass: { "base.py": 2 } } };
    const [failed, quiet] = blocks([
      { signal: { ...plan, failedSubTask } },
      { signal: implement, memory: calm },
    ]);
    expect(failed).toContain('note: sub-task "Find it" failed: read 15 times');
    expect(quiet).not.toContain("note:");
  });

  it("says nothing twice: no news and the same header is no block", () => {
    const quiet = { ...recalling(), stats: emptyStats };
    const counted = { ...plan, backtracks: 1 };
    expect(blocks([{ memory: quiet }, { memory: quiet, signal: counted }])[1]).toBeNull();
  });

  it("shows nothing at a submission, and a hint whenever there is one", () => {
    const quiet = { ...recalling(), stats: emptyStats };
    const hint = "the same command gave the same output 4 times";
    const [submitting, first, hinted] = blocks([
      { isSubmit: true },
      { memory: quiet },
      { memory: quiet, hint },
    ]);
    expect(submitting).toBeNull();
    expect(first).not.toBeNull();
    expect(hinted).toContain(`note: ${hint}`);
  });

  it("shows what fits the budget, from the first, and nothing where no header fits", () => {
    const long = (id: number) => ({ id, label: "a.py", view: "x".repeat(600) });
    const memory = { ...recalling(), recalled: [1, 2, 3].map(long) };
    const tight = (budget: number) => ({ config: { ...config, budget }, seed: 1 });
    expect(blocks([{ memory }], tight(360))[0]?.match(/mem #\d/g)).toEqual(["mem #1", "mem #2"]);
    expect(blocks([{ memory }], tight(100))[0]).not.toContain("mem #");
    expect(blocks([{ memory }], tight(5))[0]).toBeNull();
  });

  it("marks only what it has shown as shown", () => {
    const long = (id: number) => ({ id, label: "a.py", view: "x".repeat(600) });
    const memory = { ...recalling(), recalled: [1, 2].map(long) };
    const tight = { config: { ...config, budget: 220 }, seed: 1 };
    expect(inject(noBlockYet, offer({ memory }), tight).state.shown).toEqual([1]);
  });
});

describe("inject, with one of the two", () => {
  it("shows header and note alone without a memory", () => {
    const failedSubTask = { id: "p1", title: "Find it", keywords: [], reason: "read 15 times" };
    const signal = { ...plan, failedSubTask, recovery: 2 };
    expect(blocks([{ signal, memory: null, isArmed: false }])[0]).toMatchInlineSnapshot(`
      "[PLANMEM]
      phase=explore subtask=1/4 "Find the code" done=0/4 recovery=2
      note: sub-task "Find it" failed: read 15 times
      [/PLANMEM]"
    `);
  });

  it("shows memory lines alone without a plan, at most once in five steps", () => {
    const signal = null;
    const moved = { ...recalling(5, 6), focus: ["other.py"] };
    const shown = blocks([
      { signal, step: 1, memory: recalling(5) },
      { signal, step: 5, memory: moved },
      { signal, step: 6, memory: recalling(5, 6) },
      { signal, step: 6, memory: moved },
      { signal, step: 20, memory: moved },
    ]);
    expect(shown.map((block) => block?.match(/mem #\d/g) ?? null)).toEqual([
      ["mem #5"],
      null,
      null,
      ["mem #6"],
      null,
    ]);
    expect(shown[0]).toMatchInlineSnapshot(`
      "[PLANMEM]
      mem #5 f5.py: line 5
      | more
      [/PLANMEM]"
    `);
  });

  it("fires without a plan when commands begin to fail, or one more file is edited", () => {
    const signal = null;
    const stats = { ...churned, consecutiveFailures: 3 };
    const edited = { ...stats, editCount: { "base.py": 1 } };
    const shown = blocks([
      { signal, step: 1, memory: recalling(1) },
      { signal, step: 10, memory: { ...recalling(2), stats } },
      { signal, step: 20, memory: { ...recalling(3), stats } },
      { signal, step: 30, memory: { ...recalling(4), stats: edited } },
    ]);
    expect(shown.map((block) => block !== null)).toEqual([true, true, false, true]);
  });

  it("shows nothing without both", () => {
    expect(blocks([{ signal: null, memory: null }])).toEqual([null]);
  });
});
