import type { EpisodeResult } from "../batch/episode-result.ts";
import { type EpisodeJob, jobOfId } from "../experiment/expand.ts";
import type { SignedOutcome } from "../statistics/signature-comparison.ts";

/** What is known of a planned episode. Only the first two are a verdict. */
export const states = ["resolved", "unresolved", "ungraded", "given_up", "missing"] as const;
export type EpisodeState = (typeof states)[number];

/**
 * A planned episode, a row of every table. One without a verdict counts as not resolved, so that the
 * denominator is always the full set.
 */
export type Episode = SignedOutcome & {
  readonly state: EpisodeState;
  /** null: it has not come to an end. */
  readonly result: EpisodeResult | null;
  readonly difficulty: string | null;
  readonly armed: boolean;
  readonly verdict: "pass" | "fail" | null;
};

export interface Episodes {
  /** One for each planned job. */
  readonly episodes: readonly Episode[];
  /** Ids of jobs with a result that are not planned: they stand in no table. */
  readonly unplanned: readonly string[];
}

/**
 * Results laid over the plan, arms in the order given. `jobs`: their ids. Of two results for one job
 * the later one counts. Throws PmcoderError `internal` for what is no job's id.
 */
export function episodesOf(
  jobs: readonly string[],
  arms: readonly string[],
  results: readonly EpisodeResult[],
): Episodes {
  const byJob = new Map(results.map((result) => [result.job, result]));
  const place = ({ arm }: EpisodeJob) => (arms.includes(arm) ? arms.indexOf(arm) : arms.length);
  const planned = jobs.map(jobOfId).sort((one, other) => place(one) - place(other));
  const ids = new Set(jobs);
  return {
    episodes: planned.map((job) => episodeOf(job, byJob.get(job.id) ?? null)),
    unplanned: [...byJob.keys()].filter((id) => !ids.has(id)),
  };
}

function episodeOf(
  { instance, arm, seed }: Pick<EpisodeResult, "instance" | "arm" | "seed">,
  result: EpisodeResult | null,
): Episode {
  const state = stateOf(result);
  return {
    instance,
    arm,
    seed,
    resolved: state === "resolved",
    state,
    result,
    ...result?.signature,
    difficulty: result?.difficulty ?? null,
    armed: result?.armed ?? false,
    verdict: result?.verdict ?? null,
  };
}

function stateOf(result: EpisodeResult | null): EpisodeState {
  if (result === null) return "missing";
  if (result.givenUp) return "given_up";
  if (result.resolved === null) return "ungraded";
  return result.resolved ? "resolved" : "unresolved";
}

/** The grader has judged it. */
export const isJudged = ({ state }: Pick<Episode, "state">) =>
  state === "resolved" || state === "unresolved";
