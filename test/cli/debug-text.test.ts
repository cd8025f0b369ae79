import { expect, it } from "vitest";
import { addBreakpoint } from "../../src/cli/breakpoints.ts";
import { recallLines } from "../../src/cli/debug-recall.ts";
import { breakpointLines, memoryLines, planLines, stopLines } from "../../src/cli/debug-text.ts";
import { plain } from "../../src/cli/terminal-text.ts";
import { beginning, edit, last, read, walk } from "../substrate/episode.ts";

const { state } = last(
  walk([
    read("core/base.py", "class OutputWrapper:\n    def flush(self): pass\n"),
    { command: "grep -rn flush core", output: "core/base.py:2: flush", thought: "Who flushes?" },
    read("core/color.py", "from core import base\n"),
    edit("core/base.py"),
    edit("core/base.py"),
    { command: "pytest tests", output: "E   AssertionError\n1 failed", exitCode: 1 },
  ]),
);
const text = (lines: readonly string[]) => lines.join("\n");

it("says where the run stopped and why, hidden characters made visible", () => {
  const moment = {
    step: 7,
    command: "echo a\nrm -rf \u001b[2Kb",
    stuck: "6 edits",
  };
  const hits = [...addBreakpoint("step=7", []), ...addBreakpoint("stuck", [])];
  expect(text(stopLines(moment, hits, plain))).toMatchInlineSnapshot(`
    "stopped at step 7 (step=7, stuck), before
        echo a
        rm -rf �[2Kb
    stuck: 6 edits"
  `);
});

it("shows the plan with its evidence and how near it is to stuck", () => {
  expect(text(planLines(state))).toMatchInlineSnapshot(`
    "phase     verify; turned back 0 times
      p1    done     Find the code that the issue is about  (explore, evidence 3)
      p2    skipped  State the root cause  (hypothesize, evidence 0)
      p3    done     Make the smallest change that removes the root cause  (implement, evidence 2)
    > p4    pending  Run the failing behaviour again, and the tests around it  (verify, evidence 1)
    edits     2 of 6  core/base.py
    failures  1 of 5
    repeats   2 of 8  sed -i s/a/b/ core/base.py
    reads     3 of 15"
  `);
});

it("shows what memory holds, and what of it has a word", () => {
  expect(text(memoryLines(state, ""))).toMatchInlineSnapshot(`
    "messages  the newest 12 of 13
      #2 step 1 assistant core/base.py: 
      #3 step 1 tool core/base.py: cat core/base.py → rc 0: class OutputWrapper:
      #4 step 2 assistant: Who flushes?
      #5 step 2 tool core/base.py: grep -rn flush core → rc 0: core/base.py:2: flush
      #6 step 3 assistant core/color.py: 
      #7 step 3 tool core/color.py: cat core/color.py → rc 0: from core import base
      #8 step 4 assistant core/base.py: 
      #9 step 4 tool core/base.py: sed -i s/a/b/ core/base.py → rc 0
      #10 step 5 assistant core/base.py: 
      #11 step 5 tool core/base.py: sed -i s/a/b/ core/base.py → rc 0
      #12 step 6 assistant: 
      #13 step 6 tool: pytest tests → rc 1: E   AssertionError
    files     touched so often; beside which others, at which distance
      3× core/base.py: core/color.py 1
      1× core/color.py: core/base.py 1"
  `);
  expect(text(memoryLines(state, "AssertionError"))).toMatchInlineSnapshot(`
    "messages  1 with “AssertionError”
      #13 step 6 tool: pytest tests → rc 1: E   AssertionError
    files     touched so often; beside which others, at which distance
      3× core/base.py: core/color.py 1
      1× core/color.py: core/base.py 1"
  `);
});

it("shows what would be recalled and the parts of each score", () => {
  expect(text(recallLines(state, 6))).toMatchInlineSnapshot(`
    "words     outputwrapper flush never called migrate prints run failing behaviour tests base color
    files     core/base.py, core/color.py
    policy    16000 tokens, λ 0.7, lexical 0.5, graph 0.5, beam 3
    recalled  5 of 6 messages, 95 tokens with what is always there
                      lexical  graph  redundancy  gain  rank  tokens
    #3 core/base.py      0.23   1.00        0.05  0.41     1      12
    #7 core/color.py     0.15   1.00        0.27  0.32     4       6
    #6 core/color.py     0.10   1.00        0.13  0.35     2       5
    #5 core/base.py      0.12   1.00        0.37  0.28     3       6
    #2 core/base.py      0.05   1.00        0.51  0.22     5       4"
  `);
});

it("says what is off", () => {
  const off = beginning({ planner: { on: false }, memory: { on: false } });
  expect([planLines(off), memoryLines(off, ""), recallLines(off, 1)].flat()).toMatchInlineSnapshot(`
      [
        "The planner is off in this run.",
        "The memory is off in this run.",
        "The memory is off in this run.",
      ]
    `);
});

it("numbers breakpoints", () => {
  expect(breakpointLines([])).toEqual(["no breakpoints"]);
  expect(breakpointLines(addBreakpoint("stuck", addBreakpoint("file=a.py", [])))).toEqual([
    "1  file=a.py",
    "2  stuck",
  ]);
});
