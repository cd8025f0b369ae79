import { createHash } from "node:crypto";
import type { RecordedEvent } from "../../domain/episode.ts";
import type { Journal } from "../../domain/journal.ts";
import { blameFor } from "../experiment/progress.ts";

/** A run that was made for a job. */
export interface JobRun {
  readonly run: string;
  /** Never empty. */
  readonly events: readonly RecordedEvent[];
}

/**
 * What the ids of a job's runs begin with. They follow from the experiment and the job, so that any
 * worker finds the runs of those before it in the journal, and no two jobs share one.
 */
export function runPrefix(experiment: string, job: string): string {
  const hash = createHash("sha256").update(`${experiment}\n${job}`).digest("hex");
  return `${experiment.slice(0, 40)}-${hash.slice(0, 12)}-`;
}

/** The id of a job's n-th run, from 1. */
export function runOfJob(experiment: string, job: string, n: number): string {
  return `${runPrefix(experiment, job)}${n}`;
}

/** All runs of a job that have begun, in order. */
export async function runsOf(
  journal: Pick<Journal, "read">,
  experiment: string,
  job: string,
): Promise<readonly JobRun[]> {
  const runs: JobRun[] = [];
  for (;;) {
    const run = runOfJob(experiment, job, runs.length + 1);
    const events = await journal.read(run);
    if (events.length === 0) return runs;
    runs.push({ run, events });
  }
}

/** How a run ended; null: it runs, or was killed. */
export function endOf({ events }: Pick<JobRun, "events">) {
  const last = events.at(-1);
  return last?.type === "end" ? last : null;
}

/** Whether a run has ended for a reason that is the model's, so that it counts. */
export function counts(run: Pick<JobRun, "events">): boolean {
  const end = endOf(run);
  return end !== null && blameFor(end.status) === "model";
}

/** US dollars of a run's calls, as far as their prices are known. */
export function spentIn({ events }: Pick<JobRun, "events">): number {
  return events.reduce((sum, event) => sum + (event.type === "reply" ? (event.cost ?? 0) : 0), 0);
}

/** How often the infrastructure ended a process of these runs. */
export function failuresIn(runs: readonly JobRun[]): number {
  const ends = runs.flatMap(({ events }) => events.flatMap((e) => (e.type === "end" ? [e] : [])));
  return ends.filter(({ status }) => blameFor(status) === "infrastructure").length;
}
