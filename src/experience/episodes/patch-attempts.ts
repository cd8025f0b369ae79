import type { Attempt } from "../experepair/attempts.ts";
import type { EpisodeWork, Run } from "./runs.ts";
import { gaveTheSame, isSame } from "./test-attempts.ts";

/** A state of the repository's source that was checked (ExpeRepair's log of patches). */
export interface PatchAttempt extends Attempt {
  readonly beforeOutput: string;
  /** The commands that changed source since the last check; at the last one the whole patch. */
  readonly patch: string;
  /** What the check gave that decided. */
  readonly output: string;
}

/**
 * The checked states of an episode, in order. A state did not work if one of its checks failed, or
 * if what had shown the issue still prints the same (our choice: such scripts often end with status
 * 0 either way). Checks that could not run say nothing.
 */
export function patchAttempts(work: EpisodeWork, patch: string): readonly PatchAttempt[] {
  const checks = [...byState(checked(work))];
  const states = checks.map(([edits, verdicts], at) => ({
    edits: work.edits.slice(checks[at - 1]?.[0] ?? 0, edits),
    decisive: decisiveOf(verdicts),
  }));
  return states.map(({ edits, decisive }, at) => {
    const before = states[at - 1];
    const isLast = at === states.length - 1;
    return {
      before: before === undefined ? "" : textOf(before.edits),
      beforeWorked: before?.decisive?.passed ?? null,
      beforeOutput: before?.decisive?.run.output ?? "",
      patch: isLast && patch !== "" ? patch : textOf(edits),
      output: decisive?.run.output ?? "",
      worked: decisive?.passed === true,
    };
  });
}

interface Checked {
  readonly run: Run;
  readonly passed: boolean;
}

function checked({ runs }: EpisodeWork): readonly Checked[] {
  return runs.flatMap((run): readonly Checked[] => {
    if (run.edits === 0 || run.passed === null) return [];
    const early = runs.filter((one) => one.edits === 0 && isSame(one, run));
    const isStill = run.kind !== "test" && early.some((one) => gaveTheSame(one, run));
    return [{ run, passed: run.passed && !isStill }];
  });
}

function byState(checks: readonly Checked[]): ReadonlyMap<number, readonly Checked[]> {
  const states = new Map<number, readonly Checked[]>();
  for (const check of checks) {
    const { edits } = check.run;
    states.set(edits, [...(states.get(edits) ?? []), check]);
  }
  return states;
}

/** The newest verdict of each check counts: a test that was wrong is mended and run again. */
function decisiveOf(verdicts: readonly Checked[]): Checked | undefined {
  const newest = [...new Map(verdicts.map((one) => [one.run.name, one])).values()];
  return newest.find(({ passed }) => !passed) ?? verdicts.at(-1);
}

const textOf = (edits: EpisodeWork["edits"]) => edits.map(({ command }) => command).join("\n");
