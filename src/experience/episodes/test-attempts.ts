import type { Attempt } from "../experepair/attempts.ts";
import type { EpisodeWork, Run } from "./runs.ts";

/** A try to show the issue before anything was changed (ExpeRepair's log of reproductions). */
export interface TestAttempt extends Attempt {
  readonly beforeOutput: string;
  readonly test: string;
  readonly output: string;
}

/**
 * The tries of an episode up to the first that shows the issue. Scripts count; where there are none,
 * code on the command line. Nobody judged them, so the episode itself is asked (our choice): one
 * that ran again after the fix shows the issue if it gave something else then; one that never did,
 * if it failed as the issue says or by an assertion of its own.
 */
export function testAttempts(work: EpisodeWork, issue: string): readonly TestAttempt[] {
  const early = work.runs.filter(({ edits, kind }) => edits === 0 && kind !== "test");
  const scripts = early.filter(({ kind }) => kind === "script");
  const runs = scripts.length > 0 ? scripts : early;
  const shown = runs.findIndex((run) => showsIssue(run, work, issue));
  return runs.slice(0, shown === -1 ? runs.length : shown + 1).map((run, at) => {
    const before = runs[at - 1];
    return {
      before: before?.text ?? "",
      beforeWorked: before === undefined ? null : false,
      beforeOutput: before?.output ?? "",
      test: run.text,
      output: run.output,
      worked: at === shown,
    };
  });
}

function showsIssue(run: Run, { runs }: EpisodeWork, issue: string): boolean {
  const again = runs.filter((later) => later.edits > 0 && isSame(later, run));
  if (again.length > 0) return again.some((later) => !gaveTheSame(later, run));
  if (run.passed !== false) return false;
  const raised = /(\w*(?:Error|Exception))(?::|$)/m.exec(run.output.slice(-2000))?.[1];
  return raised !== undefined && (raised === "AssertionError" || issue.includes(raised));
}

export function isSame(one: Run, other: Run): boolean {
  return one.kind === other.kind && one.name === other.name && one.text === other.text;
}

/** Both printed the same, but for addresses and times, and ended the same way. */
export function gaveTheSame(one: Run, other: Run): boolean {
  return one.passed === other.passed && settled(one.output) === settled(other.output);
}

const settled = (output: string) =>
  output.replace(/0x[0-9a-f]+|\b\d+(?:\.\d+)? ?(?:s|ms|seconds?)\b/gi, "…").trim();
