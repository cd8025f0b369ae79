import type { RunConfig } from "../domain/config/run-config.ts";
import type { Phase, PolicyPhase } from "../domain/phase.ts";
import { begin, observe } from "../substrate/observe.ts";
import type { Advice, ObservedStep, SubstrateState } from "../substrate/state.ts";
import { type ForeignEpisode, rootOf, stepsOf, type Turn } from "../trajectories/foreign.ts";

/** One assistant turn, as the substrate saw it. */
export interface ReplayedTurn {
  /** The n-th assistant message of the episode, from 1. */
  readonly step: number;
  /** Its harness ran nothing of it. */
  readonly rejected: boolean;
  /** What each of its calls gave, in order; one entry for a turn without calls. */
  readonly advice: readonly Advice[];
  /** The phase it ended in, for people and for retrieval; null without a planner. */
  readonly phase: PolicyPhase | null;
  /** The phase proposed by the last of its calls that proposed one. */
  readonly detected: Phase | null;
  /** Milliseconds in the substrate. */
  readonly ms: number;
}

export interface Replay {
  readonly instanceId: string | null;
  readonly turns: readonly ReplayedTurn[];
  /** The state after the last turn. */
  readonly end: SubstrateState;
}

export interface ReplayOptions {
  readonly config: RunConfig;
  /** A clock in milliseconds. */
  readonly now: () => number;
}

/** A recorded episode through the substrate, without a model; the plan is the fixed one. */
export function replayEpisode(episode: ForeignEpisode, { config, now }: ReplayOptions): Replay {
  let state = begin(episode.task, { config, root: rootOf(episode) });
  const turns: ReplayedTurn[] = [];
  for (const turn of episode.turns) {
    const before = now();
    const advice: Advice[] = [];
    for (const step of observedSteps(turn)) {
      const observed = observe(state, step);
      state = observed.state;
      advice.push(observed.advice);
    }
    turns.push(replayedTurn(turn, advice, now() - before));
  }
  return { instanceId: episode.instanceId, turns, end: state };
}

function observedSteps(turn: Turn): readonly ObservedStep[] {
  const steps = stepsOf(turn);
  return steps.map((step, index) => ({
    ...step,
    command: turn.calls.length === 0 ? null : step.command,
    more: index < steps.length - 1,
    rejected: turn.rejected,
  }));
}

function replayedTurn(turn: Turn, advice: readonly Advice[], ms: number): ReplayedTurn {
  const proposing = advice.findLast(({ detection }) => detection?.phase);
  return {
    step: turn.index,
    rejected: turn.rejected,
    advice,
    phase: advice.at(-1)?.signal?.policyPhase ?? null,
    detected: proposing?.detection?.phase ?? null,
    ms,
  };
}
