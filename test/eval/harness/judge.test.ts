import { describe, expect, it } from "vitest";
import type { Generation } from "../../../src/eval/grading/log-parsers.ts";
import { judge } from "../../../src/eval/harness/judge.ts";
import { smallRow } from "./small-instance.ts";

const start = ": '>>>>> Start Test Output'";
const end = ": '>>>>> End Test Output'";
const right = "PASSED test_answer.py::test_right";
const wrong = "FAILED test_answer.py::test_right - assert";
const there = "PASSED test_answer.py::test_there";
const code = (value: number) => `>>>>> Test Exit Code: ${value}`;
const log = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

const passes = log(start, right, there, end, code(0));
const fails = log(start, wrong, there, end, code(1));
const silent = log(start, end, code(0));
/** What the tests print passes for a second test run that went well. */
const spoofed = log(start, wrong, end, start, right, there, end, code(1));
const endedEarly = "some output\n\n\nTimeout error: 1800 seconds exceeded.";

const noEnd = "the log does not mark where the tests begin and end";

describe("a judgement", () => {
  it.each<[string, string, Generation, boolean, string | null]>([
    ["that all is well", passes, "v4", true, null],
    ["that all is well", passes, "v5", true, null],
    ["that all is well", passes, "strict", true, null],
    ["that a test fails", fails, "v5", false, null],
    ["that nothing was tested", silent, "v5", false, "no test's result stands in the log"],
    ["of a script that was cut", log(start, right, there), "v5", false, noEnd],
    ["of an empty log", "", "v5", false, noEnd],
    ["of marks in what tests print", spoofed, "v5", false, null],
    [
      "of marks in what tests print",
      spoofed,
      "strict",
      false,
      "the log marks more than once where the tests begin or end",
    ],
    [
      "of passes with a failing exit status",
      log(start, right, there, end, code(2)),
      "v5",
      false,
      "the tests failed as a whole, but none by name",
    ],
    [
      "of a machine without memory",
      log(start, wrong, "Cannot allocate memory", end, code(1)),
      "v5",
      false,
      "the log shows out of memory",
    ],
  ])("%s, %j by %s: %s (%s)", (_, text, generation, resolved, remark) => {
    const judged = judge({ patchApplied: true, log: text }, smallRow(), generation);
    expect(judged).toMatchObject({ resolved, remark });
    expect(judged.grade?.generation).toBe(generation);
  });

  it.each([
    [
      "of a patch that does not apply",
      { patchApplied: false, log: null },
      "the patch does not apply",
    ],
    [
      "of a script that took too long",
      { patchApplied: true, log: endedEarly },
      "the tests took too long and were ended",
    ],
    [
      "of a script that took too long after its tests",
      { patchApplied: true, log: `${passes}${endedEarly}` },
      "the tests took too long and were ended",
    ],
  ])("%s is an error to the official harness, which writes no report", (_, evidence, remark) => {
    expect(judge(evidence, smallRow(), "v5")).toEqual({ resolved: false, remark, grade: null });
  });
});
