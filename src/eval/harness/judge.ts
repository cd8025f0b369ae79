import type { Grading } from "../batch/grader.ts";
import { type Grade, type GradedRow, grade } from "../grading/grade.ts";
import type { Generation } from "../grading/log-parsers.ts";
import { endedByHarness, type Refusal } from "../grading/test-output.ts";

/** What a run of tests left: whether there was a patch in place, and the log as text. */
export interface Evidence {
  readonly patchApplied: boolean;
  /** null: the tests were not run, for the patch does not apply. */
  readonly log: string | null;
}

export interface Judgement extends Grading {
  readonly resolved: boolean;
  /**
   * What the official harness reports; null: it writes no report, and counts the instance as an
   * error, because the patch does not apply, the tests took too long, or its parser ends on the log.
   */
  readonly grade: Grade | null;
}

/** What a run of tests says of a patch. Throws as `grade` does. */
export function judge(
  { patchApplied, log }: Evidence,
  row: GradedRow,
  generation: Generation,
): Judgement {
  if (!patchApplied || log === null) return failed("the patch does not apply");
  if (endedByHarness(log)) return failed("the tests took too long and were ended");
  const graded = grade(log, row, generation);
  const { refusal, infraFailure, resolved } = graded;
  const remark = refusal === null ? null : meanings[refusal];
  if (refusal === "parser_failed") return failed(remark ?? "");
  const doubt = infraFailure && `the log shows ${infraFailure.reason.replaceAll("_", " ")}`;
  return { resolved, remark: remark ?? doubt, grade: graded };
}

const failed = (remark: string): Judgement => ({ resolved: false, remark, grade: null });

const meanings: Readonly<Record<Refusal, string>> = {
  patch_apply_failed: "the log says that a patch did not apply",
  reset_failed: "the log says that the tree could not be reset",
  tests_errored: "the log says that the tests could not be run",
  tests_timed_out: "the log says that the tests took too long",
  timeout: "the tests took too long and were ended",
  no_test_output: "the log does not mark where the tests begin and end",
  repeated_markers: "the log marks more than once where the tests begin or end",
  no_results: "no test's result stands in the log",
  exit_code: "the tests failed as a whole, but none by name",
  parser_failed: "the official parser cannot read the log",
};
