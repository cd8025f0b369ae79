import type { ExitStatus } from "../../domain/episode.ts";
import type { EpisodeJob } from "./expand.ts";

/** How an attempt at an episode ended. */
interface Attempted {
  readonly status: ExitStatus;
  /** US dollars; null: a price is unknown. */
  readonly cost: number | null;
}

/** What happens to a job, told by whoever runs it. `at`: milliseconds since the epoch. */
export type JobEvent =
  | { readonly type: "started"; readonly job: string; readonly at: number }
  | ({ readonly type: "ended"; readonly job: string; readonly at: number } & Attempted)
  /** `resolved` null: the grader gave no verdict. */
  | { readonly type: "graded"; readonly job: string; readonly resolved: boolean | null }
  /** No further attempt: the infrastructure failed too often. */
  | { readonly type: "given_up"; readonly job: string }
  /** Done by an earlier process. */
  | ({
      readonly type: "restored";
      readonly job: string;
      readonly resolved: boolean | null;
    } & Attempted);

const infrastructure: readonly ExitStatus[] = [
  "environment_lost",
  "image_missing",
  "model_unavailable",
  "error",
];

/**
 * Who is answerable for how an attempt ended. `model`: it counts, resolved or not.
 * `infrastructure`: it is tried again and counted apart. `user`: it was interrupted.
 */
export function blameFor(status: ExitStatus): "model" | "infrastructure" | "user" {
  if (status === "interrupted") return "user";
  return infrastructure.includes(status) ? "infrastructure" : "model";
}

/** Counts of jobs, and the money of all attempts. */
export interface Tally {
  readonly jobs: number;
  readonly running: number;
  /** Ended for a reason that counts. */
  readonly done: number;
  readonly graded: number;
  readonly resolved: number;
  /** Attempts that the infrastructure failed. */
  readonly failures: number;
  /** Jobs that are not tried again for that reason. */
  readonly givenUp: number;
  /** US dollars, as far as prices are known. */
  readonly cost: number;
  /** Done by this process, which alone tells how fast it is. */
  readonly doneHere: number;
}

export interface Progress {
  /** The arm of each job. */
  readonly armOf: ReadonlyMap<string, string>;
  readonly arms: ReadonlyMap<string, Tally>;
  /** When the first job of this process started; null: none has. */
  readonly since: number | null;
  /** Attempts whose cost is not known. */
  readonly unpriced: number;
}

const empty: Tally = {
  jobs: 0,
  running: 0,
  done: 0,
  graded: 0,
  resolved: 0,
  failures: 0,
  givenUp: 0,
  cost: 0,
  doneHere: 0,
};

/** Nothing has happened to these jobs yet. Arms stand in the order given. */
export function beginProgress(jobs: readonly EpisodeJob[], arms: readonly string[]): Progress {
  const count = (arm: string) => jobs.filter((job) => job.arm === arm).length;
  return {
    armOf: new Map(jobs.map(({ id, arm }) => [id, arm])),
    arms: new Map(arms.map((arm) => [arm, { ...empty, jobs: count(arm) }])),
    since: null,
    unpriced: 0,
  };
}

/** The next state. Events of other jobs change nothing. */
export function takeEvent(progress: Progress, event: JobEvent): Progress {
  const arm = progress.armOf.get(event.job);
  const tally = arm === undefined ? undefined : progress.arms.get(arm);
  if (arm === undefined || tally === undefined) return progress;
  const spends = event.type === "ended" || event.type === "restored";
  return {
    armOf: progress.armOf,
    arms: new Map(progress.arms).set(arm, nextTally(tally, event)),
    since: event.type === "started" ? (progress.since ?? event.at) : progress.since,
    unpriced: progress.unpriced + (spends && event.cost === null ? 1 : 0),
  };
}

function nextTally(tally: Tally, event: JobEvent): Tally {
  switch (event.type) {
    case "started":
      return { ...tally, running: tally.running + 1 };
    case "ended":
      return ended({ ...tally, running: tally.running - 1 }, event);
    case "graded":
      return graded(tally, event.resolved);
    case "given_up":
      return { ...tally, givenUp: tally.givenUp + 1 };
    case "restored": {
      const after = graded(ended(tally, event), event.resolved);
      return { ...after, doneHere: tally.doneHere };
    }
  }
}

function ended(tally: Tally, { status, cost }: Attempted): Tally {
  const blame = blameFor(status);
  return {
    ...tally,
    cost: tally.cost + (cost ?? 0),
    done: tally.done + (blame === "model" ? 1 : 0),
    doneHere: tally.doneHere + (blame === "model" ? 1 : 0),
    failures: tally.failures + (blame === "infrastructure" ? 1 : 0),
  };
}

function graded(tally: Tally, resolved: boolean | null): Tally {
  if (resolved === null) return tally;
  return {
    ...tally,
    graded: tally.graded + 1,
    resolved: tally.resolved + (resolved ? 1 : 0),
  };
}
