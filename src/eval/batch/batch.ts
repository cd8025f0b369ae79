import type { Clock } from "../../domain/clock.ts";
import type { JobHandler, JobResult, Queue } from "../../domain/queue.ts";
import type { EpisodeJob } from "../experiment/expand.ts";
import { goldId } from "./gold-job.ts";

export type Work =
  | { readonly kind: "episode"; readonly job: EpisodeJob }
  | { readonly kind: "gold"; readonly instance: string };

/** The queue's jobs, instance by instance, each begun with its gold patch where that is graded. */
export function workOf(
  jobs: readonly EpisodeJob[],
  gold: readonly string[],
): readonly { readonly id: string; readonly payload: Work }[] {
  const waiting = new Set(gold);
  const goldOf = (instance: string) =>
    waiting.delete(instance)
      ? [{ id: goldId(instance), payload: { kind: "gold", instance } as const }]
      : [];
  const episodes = jobs.flatMap((job) => [
    ...goldOf(job.instance),
    { id: job.id, payload: { kind: "episode", job } as const },
  ]);
  return [...episodes, ...[...waiting].flatMap(goldOf)];
}

export interface BatchParts {
  readonly queue: Queue;
  /** In the order in which they are to start. */
  readonly work: ReturnType<typeof workOf>;
  readonly handler: JobHandler;
  /** Jobs at once; 0: others do them. */
  readonly concurrency: number;
  /** Ends the taking of jobs. */
  readonly drain: AbortSignal;
  /** Jobs whose results are kept already. */
  readonly kept: ReadonlySet<string>;
  /** Keeps a job's end where it lasts. */
  readonly keep: (result: JobResult) => Promise<void>;
  readonly clock: Pick<Clock, "sleep">;
  /** Between two looks for results. */
  readonly pollMs: number;
}

/**
 * Puts the work into the queue, does its share of it, and keeps each result as it comes, until all is
 * done or `drain` aborts. What failed too often before has as many attempts again. Rejects with
 * PmcoderError `storage` when the queue is lost or a result cannot be kept; then no more is begun.
 */
export async function runBatch(parts: BatchParts): Promise<void> {
  const { queue, work, handler, concurrency, drain } = parts;
  await queue.enqueue(work);
  await queue.retryFailed();
  const kept = new Set(parts.kept);
  const [over, broken] = [new AbortController(), new AbortController()];
  const collecting = collectUntil(over.signal, kept, parts).catch((error: unknown) => {
    broken.abort();
    return { error };
  });
  try {
    await queue.work(handler, { concurrency, drain: AbortSignal.any([drain, broken.signal]) });
  } finally {
    over.abort();
    await collecting;
  }
  const failure = await collecting;
  if (failure) throw failure.error;
  await collect(kept, parts);
}

async function collectUntil(
  over: AbortSignal,
  kept: Set<string>,
  parts: BatchParts,
): Promise<void> {
  while (!over.aborted) {
    await collect(kept, parts);
    await parts.clock.sleep(parts.pollMs, over).catch(() => {});
  }
}

async function collect(kept: Set<string>, { queue, keep }: BatchParts): Promise<void> {
  for (const result of await queue.results(kept)) {
    await keep(result);
    kept.add(result.id);
  }
}
