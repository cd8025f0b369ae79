import { z } from "zod";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Replay } from "./replay.ts";
import {
  bm25Turns,
  newestTurns,
  type RevisitEvent,
  recallAt4,
  retrievedTurns,
} from "./replay-recall.ts";
import { type Share, shareOf } from "./replay-share.ts";

/** Whether the patch of a recorded run resolved its issue; null: not known. */
export const OutcomeRow = z.object({
  instance_id: z.string(),
  resolved: z.boolean().nullable().default(null),
});
export type OutcomeRow = z.infer<typeof OutcomeRow>;

/** What memory and plan do on recorded runs, as `replay --metrics` prints it. */
export interface ReplayMetrics {
  /** Replayed. */
  readonly episodes: number;
  /** Of the replayed episodes. */
  readonly revisit_events: number;
  readonly revisit_recall_at_4: {
    readonly full: Share;
    /** All four couplings off. */
    readonly uncoupled: Share;
    readonly newest: Share;
    readonly bm25: Share;
  };
  /** Episodes that backtrack at least once; `lt40`: of fewer than 40 turns. */
  readonly backtrack_share: {
    readonly resolved_lt40: Share;
    readonly unresolved_lt40: Share;
    readonly resolved: Share;
    readonly unresolved: Share;
  };
}

export interface MetricInputs {
  readonly full: readonly Replay[];
  /** The same episodes under `uncoupled`. */
  readonly uncoupled: readonly Replay[];
  readonly outcomes: readonly OutcomeRow[];
  readonly events: readonly RevisitEvent[];
}

/** The same configuration with every coupling off. */
export function uncoupled(config: RunConfig): RunConfig {
  const couplings = {
    phaseRetrieval: false,
    subtaskRetrieval: false,
    statsPlan: false,
    verdictPlan: false,
  };
  return { ...config, couplings };
}

export function replayMetrics(inputs: MetricInputs): ReplayMetrics {
  const { full, events } = inputs;
  const newest = recallAt4(events, full, newestTurns);
  return {
    episodes: full.length,
    revisit_events: newest.n,
    revisit_recall_at_4: {
      full: recallAt4(events, full, retrievedTurns),
      uncoupled: recallAt4(events, inputs.uncoupled, retrievedTurns),
      newest,
      bm25: recallAt4(events, full, bm25Turns),
    },
    backtrack_share: backtrackShares(inputs),
  };
}

/** Longer episodes have more time to get stuck, whatever comes of them. */
const short = 40;

function backtrackShares({ full, outcomes }: MetricInputs): ReplayMetrics["backtrack_share"] {
  const resolved = new Map(outcomes.map((row) => [row.instance_id, row.resolved]));
  const share = (isResolved: boolean, turns: number) => {
    const episodes = full.filter(
      (replay) =>
        resolved.get(replay.instanceId ?? "") === isResolved && replay.turns.length < turns,
    );
    const stuck = episodes.filter(({ end }) => (end.plan?.backtracks ?? 0) > 0);
    return shareOf(stuck.length, episodes.length);
  };
  return {
    resolved_lt40: share(true, short),
    unresolved_lt40: share(false, short),
    resolved: share(true, Number.POSITIVE_INFINITY),
    unresolved: share(false, Number.POSITIVE_INFINITY),
  };
}
