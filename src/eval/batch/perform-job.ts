import type { Admission, Budget } from "../../domain/budget.ts";
import type { Clock } from "../../domain/clock.ts";
import type { ExitStatus, RecordedEvent } from "../../domain/episode.ts";
import { type ErrorCode, PmcoderError } from "../../domain/errors.ts";
import type { Journal } from "../../domain/journal.ts";
import type { EpisodeJob } from "../experiment/expand.ts";
import { blameFor } from "../experiment/progress.ts";
import type { Tell } from "./batch-event.ts";
import { type EpisodeResult, type ImageRecord, resultOf } from "./episode-result.ts";
import type { EpisodeSpec } from "./episode-spec.ts";
import { gradePatiently } from "./grade-patiently.ts";
import type { Grader, Submission } from "./grader.ts";
import { counts, endOf, type JobRun, runOfJob, runsOf, spentIn } from "./job-runs.ts";

/** Where episodes are played. */
export interface Stage {
  /**
   * Begins a run, or goes on with one that has events; its end stands in the journal when this
   * resolves. Rejects when it could not begin.
   */
  play(
    spec: EpisodeSpec,
    run: string,
    past: readonly RecordedEvent[],
    signal: AbortSignal,
  ): Promise<void>;
  /** Whether this worker can go on with a run that an earlier process has left open. */
  canGoOn(spec: EpisodeSpec, run: JobRun): Promise<boolean>;
  /** The patch of a run that has ended, as text; null: it was never written, and is lost. */
  patchOf(spec: EpisodeSpec, run: JobRun): Promise<string | null>;
  /** The name of the image that it runs in; null: none. */
  imageOf(spec: EpisodeSpec): Promise<string | null>;
  /** What that name stands for now; null: that is not known. */
  recordOf(image: string): Promise<ImageRecord | null>;
  /** Whether a run of it costs money that is counted. */
  isPaid(spec: EpisodeSpec): Promise<boolean>;
  /** Where its grading goes. */
  grading(spec: EpisodeSpec): Pick<Submission, "runId" | "folder">;
  /** The run is over, and nobody goes on with it. */
  clear(spec: EpisodeSpec, run: string): Promise<void>;
}

/** What a job leaves for whoever collects. */
export interface JobOutcome {
  readonly result: EpisodeResult;
  /** The text of the patch, for the predictions. */
  readonly patch: string;
}

export interface JobParts {
  /** Its name among all, from which the ids of its runs follow. */
  readonly experiment: string;
  readonly journal: Pick<Journal, "read">;
  readonly budget: Budget;
  readonly grader: Grader;
  /** How often a grading is started again. */
  readonly gradingRetries: number;
  readonly stage: Stage;
  readonly clock: Clock;
  /** The machine that this worker is on. */
  readonly host: string;
  readonly tell: Tell;
  /** Aborts when what runs is to be ended. */
  readonly signal: AbortSignal;
  /** The cap is reached, and nothing under way can give money back. */
  readonly onCapReached: () => void;
}

/**
 * Does a job from where its earlier processes have left it: what has ended is only graded, what was
 * killed goes on, and what cannot go on begins anew. Rejects when the infrastructure fails, and with
 * PmcoderError `interrupted` when the signal or the cap ended it.
 */
export async function performJob(spec: EpisodeSpec, parts: JobParts): Promise<JobOutcome> {
  const { job } = spec;
  const { stage, clock, tell } = parts;
  const before = await runsOf(parts.journal, parts.experiment, job.id);
  const over = await overIn(spec, before, stage);
  if (over !== null) {
    tell({ type: "started", job: job.id, at: clock.now() });
    tellEnd(job, before, before, parts);
    return finish(spec, before, over, parts);
  }
  const runs = await play(spec, before, parts);
  const last = runs.at(-1);
  const patch = last === undefined ? null : await stage.patchOf(spec, last);
  return finish(spec, runs, patch ?? "", parts);
}

/** The patch of a job whose last run counts, null when there is more to do. */
async function overIn(
  spec: EpisodeSpec,
  runs: readonly JobRun[],
  stage: Stage,
): Promise<string | null> {
  const last = runs.at(-1);
  return last !== undefined && counts(last) ? stage.patchOf(spec, last) : null;
}

/** The job's runs after one more attempt that counts. */
async function play(
  spec: EpisodeSpec,
  before: readonly JobRun[],
  parts: JobParts,
): Promise<readonly JobRun[]> {
  const { experiment, journal, stage, tell, clock } = parts;
  const { job } = spec;
  const last = before.at(-1);
  const goesOn = last !== undefined && !counts(last) && (await stage.canGoOn(spec, last));
  const run = goesOn ? last.run : runOfJob(experiment, job.id, before.length + 1);
  const closed = goesOn ? before.slice(0, -1) : before;
  const isPaid = await stage.isPaid(spec);
  if (isPaid) await admit(job.id, spentBy(closed), parts);
  tell({ type: "started", job: job.id, at: clock.now() });
  let failure: unknown = null;
  try {
    await stage.play(spec, run, goesOn ? last.events : [], parts.signal);
  } catch (error) {
    failure = error;
  }
  const events = await journal.read(run);
  const after = events.length === 0 ? closed : [...closed, { run, events }];
  if (isPaid) await parts.budget.settle(job.id, spentBy(after));
  if (failure !== null) throw refusal(job, before, after, failure, parts);
  return ended(spec, before, after, parts);
}

const spentBy = (runs: readonly JobRun[]) => runs.reduce((sum, run) => sum + spentIn(run), 0);

/** Milliseconds between two looks at a budget that others have reserved. Our choice. */
const budgetPauseMs = 1000;

/** Waits until the budget allows the job. Rejects with PmcoderError `interrupted` when it never will. */
async function admit(
  job: string,
  spent: number,
  { budget, clock, signal, onCapReached }: JobParts,
): Promise<void> {
  for (;;) {
    const admission: Admission = await budget.admit(job, spent);
    if (admission === "yes") return;
    if (admission === "never") {
      onCapReached();
      throw new PmcoderError("interrupted", "The cap of the experiment is reached.");
    }
    await clock.sleep(budgetPauseMs, signal).catch(() => {});
    if (signal.aborted) throw new PmcoderError("interrupted", "Interrupted before it began.");
  }
}

const statusOf: Readonly<Record<ErrorCode, ExitStatus>> = {
  usage: "error",
  environment_lost: "environment_lost",
  image_missing: "image_missing",
  model_unavailable: "model_unavailable",
  context_exhausted: "error",
  interrupted: "interrupted",
  storage: "error",
  internal: "error",
};

/** An attempt that did not come to its own end: told, and given back as what the queue is to see. */
function refusal(
  job: EpisodeJob,
  before: readonly JobRun[],
  after: readonly JobRun[],
  failure: unknown,
  { tell, clock }: JobParts,
): unknown {
  const status = failure instanceof PmcoderError ? statusOf[failure.code] : "error";
  const cost = spentBy(after) - spentBy(before);
  const reason = failure instanceof Error ? failure.message : String(failure);
  const at = clock.now();
  tell({ type: "ended", job: job.id, at, status, cost });
  tell({ type: "failed", job: job.id, at, status, reason });
  return failure;
}

/** The runs after an attempt that came to its own end. Throws when it does not count. */
function ended(
  { job }: EpisodeSpec,
  before: readonly JobRun[],
  after: readonly JobRun[],
  parts: JobParts,
): readonly JobRun[] {
  const end = tellEnd(job, before, after, parts);
  if (end === null) throw new PmcoderError("internal", `The run of ${job.id} has no end.`);
  const blame = blameFor(end.status);
  if (blame === "model") return after;
  const { status, reason } = end;
  parts.tell({ type: "failed", job: job.id, at: parts.clock.now(), status, reason });
  throw new PmcoderError(blame === "user" ? "interrupted" : codeOf(end.status), end.reason);
}

function codeOf(status: ExitStatus): ErrorCode {
  const codes = ["environment_lost", "image_missing", "model_unavailable"] as const;
  return codes.find((code) => code === status) ?? "internal";
}

/** What the attempt cost is what its run has spent more than before. */
function tellEnd(
  job: EpisodeJob,
  before: readonly JobRun[],
  after: readonly JobRun[],
  { tell, clock }: JobParts,
) {
  const last = after.at(-1);
  const end = last === undefined ? null : endOf(last);
  if (end === null) return null;
  const isUnpriced = last?.events.some((event) => event.type === "reply" && event.cost === null);
  const cost = isUnpriced ? null : spentBy(after) - spentBy(before);
  tell({ type: "ended", job: job.id, at: clock.now(), status: end.status, cost });
  return end;
}

async function finish(
  spec: EpisodeSpec,
  runs: readonly JobRun[],
  patch: string,
  parts: JobParts,
): Promise<JobOutcome> {
  const { job, row, repository } = spec;
  const { stage, tell, host } = parts;
  const name = await stage.imageOf(spec);
  const image = name === null ? null : await stage.recordOf(name);
  const submission = { id: job.id, row, repository, patch, ...stage.grading(spec) };
  const grading = await gradePatiently(submission, parts);
  tell({ type: "graded", job: job.id, resolved: grading.resolved });
  const last = runs.at(-1);
  if (last !== undefined) await stage.clear(spec, last.run);
  const result = resultOf({ job, row, runs, patch, grading, image, host });
  if (result === null) throw new PmcoderError("internal", `The run of ${job.id} has no end.`);
  return { result, patch };
}
