import { z } from "zod";
import { peeksIn } from "../../agent/guard/peeks.ts";
import { exitStatuses } from "../../domain/episode.ts";
import { phases } from "../../domain/phase.ts";
import { tallyOf } from "../../trajectories/tally.ts";
import type { DatasetRow } from "../dataset-row.ts";
import type { EpisodeJob } from "../experiment/expand.ts";
import { endedEpisode, type Signature, signatureOf } from "../signature.ts";
import type { Grading } from "./grader.ts";
import { endOf, failuresIn, type JobRun, spentIn } from "./job-runs.ts";

const SignatureFields = z.object({
  turns: z.number(),
  failedRecurrence: z.number().nullable(),
  gaveUp: z.boolean(),
  contextExhausted: z.boolean(),
  recoveries: z.number(),
}) satisfies z.ZodType<Signature>;

const Image = z.object({
  name: z.string(),
  /** Of its content, as the engine has it. */
  id: z.string(),
  /** As registries know it; null: it came from none. */
  digest: z.string().nullable(),
});
export type ImageRecord = Readonly<z.infer<typeof Image>>;

const patch = z.object({
  bytes: z.number(),
  files: z.array(z.string()),
  applies: z.boolean(),
  source: z.enum(["extraction", "submission"]),
});

/** Beside the verdict; what older lines lack is optional. */
export const GradingFields = z.object({
  remark: z.string().nullable(),
  seconds: z.number(),
  grader: z.string().optional(),
  generation: z.enum(["v4", "v5", "strict"]).optional(),
});

/** What came of one job: a line of `results.jsonl`. What is not known is null. */
export const EpisodeResult = z.object({
  job: z.string(),
  instance: z.string(),
  arm: z.string(),
  seed: z.int(),
  /** The run that counts: its events stand under this id in the journal. null: none began. */
  run: z.string().nullable(),
  model: z.string().nullable(),
  environment: z.string().nullable(),
  status: z.enum(exitStatuses),
  reason: z.string(),
  /** The infrastructure failed too often: nothing can be said of the model. */
  givenUp: z.boolean(),
  /** null: not graded, or the grader came to no verdict. */
  resolved: z.boolean().nullable(),
  grading: GradingFields.nullable(),
  /** US dollars of that run; null: a price is unknown. */
  cost: z.number().nullable(),
  /** US dollars of all runs of the job, as far as prices are known. */
  spent: z.number(),
  tokens: z.object({ input: z.number(), cached: z.number(), output: z.number() }).nullable(),
  steps: z.int(),
  calls: z.object({ act: z.int(), other: z.int() }).nullable(),
  seconds: z.number().nullable(),
  /** Of the reproduction script, the latest. */
  verdict: z.enum(["pass", "fail"]).nullable(),
  /** The run had a reproduction script. */
  armed: z.boolean(),
  /** Phases in the order they were entered, each with its number of steps. */
  phases: z.array(z.object({ phase: z.enum(phases), steps: z.int() })),
  backtracks: z.int(),
  injected: z.object({ blocks: z.int(), tokens: z.int() }).nullable(),
  patch: patch.nullable(),
  signature: SignatureFields.nullable(),
  /** Commands that looked past the base. */
  peeks: z.int(),
  difficulty: z.string().nullable(),
  image: Image.nullable(),
  /** Processes that worked on it, over all its runs; more than one: it was interrupted or failed. */
  attempts: z.int(),
  /** How many of them the infrastructure ended. */
  failures: z.int(),
  /** Its environment was lost in between and built anew, which the model was told. */
  rebuilt: z.boolean(),
  /** ISO times of the first and the last event. */
  began: z.string().nullable(),
  ended: z.string().nullable(),
  /** The machine that it ended on. */
  host: z.string().nullable(),
});
export type EpisodeResult = Readonly<z.infer<typeof EpisodeResult>>;

/** What an episode's result is made of. */
export interface ResultParts {
  readonly job: EpisodeJob;
  readonly row: Pick<DatasetRow, "difficulty">;
  /** All runs of the job; the last one counts. */
  readonly runs: readonly JobRun[];
  readonly patch: string;
  readonly grading: (Grading & { readonly seconds: number }) | null;
  readonly image: ImageRecord | null;
  readonly host: string;
}

const iso = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());

/** The result of a job whose last run has ended; null: it has none that has. */
export function resultOf(parts: ResultParts): EpisodeResult | null {
  const { job, row, runs, patch: text, grading, image, host } = parts;
  const last = runs.at(-1);
  const end = last && endOf(last);
  if (!last || !end) return null;
  const { events } = last;
  const { begin, patch: record, ...tally } = tallyOf(events);
  const episode = endedEpisode(events, text);
  return {
    job: job.id,
    instance: job.instance,
    arm: job.arm,
    seed: job.seed,
    run: last.run,
    model: begin.model,
    environment: begin.environment.kind,
    status: end.status,
    reason: end.reason,
    givenUp: false,
    resolved: grading?.resolved ?? null,
    grading: grading && gradingFieldsOf(grading),
    cost: tally.cost,
    spent: runs.reduce((sum, run) => sum + spentIn(run), 0),
    tokens: tally.tokens,
    steps: tally.calls.act,
    calls: tally.calls,
    seconds: tally.seconds,
    verdict: tally.verdict,
    armed: begin.reproducer !== undefined,
    phases: tally.phases.map((phase) => ({ ...phase })),
    backtracks: tally.backtracks,
    injected: tally.injected,
    patch: record && {
      bytes: record.bytes,
      files: [...record.files],
      applies: record.applies,
      source: record.source,
    },
    signature: episode && signatureOf(episode),
    peeks: peeksIn(events).length,
    difficulty: row.difficulty,
    image,
    attempts: runs.reduce((sum, run) => sum + processesIn(run), 0),
    failures: failuresIn(runs),
    rebuilt: events.some((event) => event.type === "resume" && event.rebuilt),
    began: iso(events[0]?.at),
    ended: iso(events.at(-1)?.at),
    host,
  };
}

function gradingFieldsOf({ resolved: _, ...fields }: NonNullable<ResultParts["grading"]>) {
  return fields;
}

function processesIn({ events }: JobRun): number {
  return events.filter(({ type }) => type === "begin" || type === "resume").length;
}

/** Why the infrastructure made a job be given up. */
export interface GivenUp extends Omit<ResultParts, "patch" | "grading" | "image"> {
  readonly status: EpisodeResult["status"];
  readonly reason: string;
  /** Attempts that failed. */
  readonly failures: number;
}

/** The result of a job that the infrastructure failed too often. */
export function givenUpResult(parts: GivenUp): EpisodeResult {
  const { job, row, runs, host, status, reason, failures } = parts;
  const known = resultOf({ ...parts, patch: "", grading: null, image: null }) ?? {
    ...nothingKnown,
    spent: runs.reduce((sum, run) => sum + spentIn(run), 0),
  };
  const { id, instance, arm, seed } = job;
  const about = { job: id, instance, arm, seed, difficulty: row.difficulty, host };
  return { ...known, ...about, status, reason, failures, givenUp: true, signature: null };
}

const nothingKnown = {
  run: null,
  model: null,
  environment: null,
  resolved: null,
  grading: null,
  cost: null,
  tokens: null,
  steps: 0,
  calls: null,
  seconds: null,
  verdict: null,
  armed: false,
  phases: [],
  backtracks: 0,
  injected: null,
  patch: null,
  peeks: 0,
  image: null,
  attempts: 0,
  rebuilt: false,
  began: null,
  ended: null,
} as const satisfies Partial<EpisodeResult>;
