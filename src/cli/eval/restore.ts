import type { Journal } from "../../domain/journal.ts";
import type { Tell } from "../../eval/batch/batch-event.ts";
import type { EpisodeResult } from "../../eval/batch/episode-result.ts";
import { runOfJob, runsOf, spentIn } from "../../eval/batch/job-runs.ts";
import type { EpisodeJob } from "../../eval/experiment/expand.ts";

/** US dollars that jobs without a final result have spent in earlier processes, by job. */
export async function spentUnfinished(
  journal: Pick<Journal, "read" | "runs">,
  experiment: string,
  jobs: readonly EpisodeJob[],
): Promise<ReadonlyMap<string, number>> {
  const begun = new Set((await journal.runs()).map(({ run }) => run));
  const spent = new Map<string, number>();
  for (const { id } of jobs) {
    if (!begun.has(runOfJob(experiment, id, 1))) continue;
    const runs = await runsOf(journal, experiment, id);
    spent.set(
      id,
      runs.reduce((sum, run) => sum + spentIn(run), 0),
    );
  }
  return spent;
}

/** Tells what earlier processes have done, and spent on what is still to be done. */
export function tellRestored(
  jobs: readonly EpisodeJob[],
  results: ReadonlyMap<string, EpisodeResult>,
  unfinished: ReadonlyMap<string, number>,
  tell: Tell,
): void {
  const open = { type: "restored", status: "interrupted", resolved: null } as const;
  for (const { id: job } of jobs) {
    const result = results.get(job);
    if (result !== undefined && !result.givenUp) {
      const { status, resolved, cost, spent } = result;
      tell({ type: "restored", job, status, resolved, cost: cost === null ? null : spent });
      continue;
    }
    const spent = unfinished.get(job) ?? result?.spent ?? 0;
    if (spent > 0) tell({ ...open, job, cost: spent });
  }
}
