import type { Progress, Tally } from "./progress.ts";

/** A line of the live table. */
export interface ProgressRow extends Omit<Tally, "doneHere"> {
  /** null: all arms together. */
  readonly arm: string | null;
  readonly waiting: number;
  /** Seconds until its jobs are done, at the pace so far; null: nothing is done yet. */
  readonly secondsLeft: number | null;
}

/** A row for each arm, in order, then one for all. `now`: milliseconds since the epoch. */
export function tableOf({ arms, since }: Progress, now: number): readonly ProgressRow[] {
  const elapsed = since === null ? null : (now - since) / 1000;
  const all = [...arms.values()].reduce(plus);
  return [
    ...[...arms].map(([arm, tally]) => rowOf(arm, tally, elapsed)),
    rowOf(null, all, elapsed),
  ];
}

/**
 * Arms share the workers, so the pace of each is measured over the whole time. A job that runs is
 * still to be done.
 */
function rowOf(arm: string | null, tally: Tally, elapsed: number | null): ProgressRow {
  const { doneHere, ...counts } = tally;
  const left = tally.jobs - tally.done - tally.givenUp;
  const pace = elapsed === null || doneHere === 0 ? null : elapsed / doneHere;
  return {
    arm,
    ...counts,
    waiting: left - tally.running,
    secondsLeft: left === 0 ? 0 : pace && left * pace,
  };
}

function plus(one: Tally, other: Tally): Tally {
  return {
    jobs: one.jobs + other.jobs,
    running: one.running + other.running,
    done: one.done + other.done,
    graded: one.graded + other.graded,
    resolved: one.resolved + other.resolved,
    failures: one.failures + other.failures,
    givenUp: one.givenUp + other.givenUp,
    cost: one.cost + other.cost,
    doneHere: one.doneHere + other.doneHere,
  };
}
