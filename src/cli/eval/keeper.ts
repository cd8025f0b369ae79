import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { ExitStatus } from "../../domain/episode.ts";
import type { Journal } from "../../domain/journal.ts";
import type { JobResult } from "../../domain/queue.ts";
import type { BatchEvent, Tell } from "../../eval/batch/batch-event.ts";
import { EpisodeResult, givenUpResult } from "../../eval/batch/episode-result.ts";
import type { InstanceSpec } from "../../eval/batch/episode-spec.ts";
import { GoldResult, isGold } from "../../eval/batch/gold-job.ts";
import { endOf, failuresIn, runsOf } from "../../eval/batch/job-runs.ts";
import { jobOfId } from "../../eval/experiment/expand.ts";
import { appendRecord } from "../../store/record-file.ts";
import type { EnvironmentFile } from "./environment.ts";
import type { ResultsFolder } from "./results.ts";

const Outcome = z.object({ result: EpisodeResult, patch: z.string() });

export interface KeeperParts {
  readonly experiment: string;
  readonly folder: string;
  readonly journal: Pick<Journal, "read">;
  readonly instances: ReadonlyMap<string, Pick<InstanceSpec, "row">>;
  readonly results: ResultsFolder;
  readonly environment: EnvironmentFile;
  /** Whoever watches. */
  readonly tell: Tell;
  readonly now: () => number;
}

interface Failure {
  readonly status: ExitStatus;
  readonly reason: string;
}

/** Keeps what jobs end with in the output folder, whoever did them, and tells what others did. */
export class Keeper {
  readonly #parts: KeeperParts;
  /** Jobs whose end was told by this process. */
  readonly #told = new Set<string>();
  /** Attempts that failed in this process, by job. */
  readonly #failures = new Map<string, readonly Failure[]>();

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** Passes on what happens here. Failed attempts go into `failures.jsonl`. */
  readonly tell: Tell = (event) => {
    if (event.type === "graded") this.#told.add(event.job);
    if (event.type === "failed" && event.status !== "interrupted") this.#noteFailure(event);
    this.#parts.tell(event);
  };

  /** Whether a job has a result. */
  has(job: string): boolean {
    return this.#parts.results.results.has(job);
  }

  async keep(ended: JobResult): Promise<void> {
    const { results, environment } = this.#parts;
    if (isGold(ended.id)) {
      if (ended.state === "done") results.addGold(GoldResult.parse(ended.result));
      return;
    }
    if (ended.state === "failed") return this.#giveUp(ended.id, ended.error, ended.attempts);
    const { result, patch } = Outcome.parse(ended.result);
    results.add(result, patch);
    if (result.image !== null) environment.addImage(result.image);
    if (!this.#told.has(result.job)) this.#tellOther(result);
  }

  #noteFailure(event: Extract<BatchEvent, { type: "failed" }>): void {
    const { job, at, status, reason } = event;
    this.#failures.set(job, [...(this.#failures.get(job) ?? []), { status, reason }]);
    const record = { job, at: new Date(at).toISOString(), status, reason };
    appendRecord(join(this.#parts.folder, "failures.jsonl"), record);
  }

  async #giveUp(id: string, error: string, attempts: number): Promise<void> {
    const { experiment, journal, instances, results } = this.#parts;
    const job = jobOfId(id);
    const runs = await runsOf(journal, experiment, id);
    const last = runs.at(-1);
    const here = this.#failures.get(id) ?? [];
    const end = here.at(-1) ?? (last && endOf(last));
    const row = { difficulty: instances.get(job.instance)?.row.difficulty ?? null };
    const failures = Math.max(here.length, failuresIn(runs), here.length === 0 ? attempts : 0);
    const status = end?.status ?? "error";
    const about = { job, row, runs, host: hostname(), failures };
    results.add(givenUpResult({ ...about, status, reason: end?.reason ?? error }), "");
    this.#parts.tell({ type: "given_up", job: id });
  }

  /** Another worker's job, as if it had been done here just now. */
  #tellOther({ job, status, cost, spent, resolved }: EpisodeResult): void {
    const { tell, now } = this.#parts;
    tell({ type: "started", job, at: now() });
    tell({ type: "ended", job, at: now(), status, cost: cost === null ? null : spent });
    tell({ type: "graded", job, resolved });
  }
}
