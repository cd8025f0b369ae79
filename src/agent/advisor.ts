import type { RunConfig } from "../domain/config/run-config.ts";
import type { AdviceRecord, EpisodeEvent, Observation } from "../domain/episode.ts";
import { understandNext } from "../substrate/command.ts";
import { evidenceAfter } from "../substrate/evidence.ts";
import { observe } from "../substrate/observe.ts";
import {
  type Advice,
  type Evidence,
  noEvidence,
  type ObservedStep,
  type SubstrateState,
} from "../substrate/state.ts";
import type { EpisodeLog } from "./episode-log.ts";
import { foundIn } from "./grounding/found.ts";
import type { Grounding } from "./grounding/grounding.ts";

/** A turn's place and words, which each of its calls shares. */
export interface Turn {
  readonly step: number;
  readonly thought: string;
}

/** Whether anything of the substrate is on; if not, none of it is made. */
export function wantsAdvice({ planner, memory }: RunConfig): boolean {
  return planner.on || memory.on;
}

/** An executed call of a turn. */
export interface AdvisedCall extends Turn {
  readonly command: string;
  readonly observation: Observation;
  /** Further calls of this turn follow, so there is nothing to say yet. */
  readonly more: boolean;
}

/** The substrate beside the loop: it is told of each call, and its last word of a turn is recorded. */
export class Advisor {
  readonly #grounding: Grounding | null;
  #state: SubstrateState;
  #evidence: Evidence;
  #stuck: string | null = null;

  /** `grounding` null: the tree is not looked at. `evidence`: what it has shown so far. */
  constructor(state: SubstrateState, grounding: Grounding | null, evidence: Evidence = noEvidence) {
    this.#grounding = grounding;
    this.#state = state;
    this.#evidence = evidence;
  }

  /** Plan and memory as they stand, to look at. */
  get state(): SubstrateState {
    return this.#state;
  }

  /** Why the agent counted as stuck at the newest call of this process; null: it did not. */
  get stuck(): string | null {
    return this.#stuck;
  }

  /**
   * Records a call's observation, what grounding finds after it, and the advice that is due. When
   * grounding is interrupted, the latter two are left to whoever goes on with the run. `seen`: the
   * observation and what belongs to it, unless that is recorded already.
   */
  async afterCall(
    call: AdvisedCall,
    seen: readonly EpisodeEvent[],
    log: EpisodeLog,
  ): Promise<void> {
    const { step: index, thought, command, observation, more } = call;
    const { output, exitCode, timedOut, callId } = observation;
    let unrecorded = seen;
    const grounded = await this.#ground(call, async (check) => {
      await log.record(...unrecorded, check);
      unrecorded = [];
    });
    if (grounded === null) return log.record(...unrecorded);
    const step = { index, thought, command, output, exitCode, timedOut, more };
    const advice = this.#observe(step, this.#evidence);
    const said = more ? [] : [adviceEvent(call, callId, advice)];
    await log.record(...unrecorded, ...grounded, ...said);
  }

  async #ground(
    { step, command, observation: { callId } }: AdvisedCall,
    announce: (check: EpisodeEvent) => Promise<void>,
  ): Promise<readonly EpisodeEvent[] | null> {
    if (this.#grounding === null) return [];
    const { action } = understandNext(this.#state, command);
    const found = await this.#grounding.afterCall({ step, callId, action }, announce);
    if (found === null) return null;
    this.#evidence = evidenceAfter(this.#evidence, foundIn(found), () => action.mutating);
    return found;
  }

  /**
   * A turn that was refused and ran nothing, answered with `answers` messages: it leaves no trace in
   * plan or memory, as when its trajectory is replayed.
   */
  afterFormatError({ step, thought }: Turn, answers: number): readonly EpisodeEvent[] {
    const refused = { command: null, output: "", exitCode: null, timedOut: false, rejected: true };
    const evidence = evidenceAfter(this.#evidence, foundIn([]), () => false);
    const advice = this.#observe({ index: step, thought, ...refused, answers }, evidence);
    return [adviceEvent({ step }, null, advice)];
  }

  #observe(step: ObservedStep, evidence: Evidence): Advice {
    const { state, advice } = observe(this.#state, step, evidence);
    this.#state = state;
    this.#stuck = advice.stuck?.reason ?? null;
    return advice;
  }
}

/** What of an advice is kept, for the turn's newest tool result. */
export function adviceEvent(
  { step }: Pick<Turn, "step">,
  callId: string | null,
  advice: Advice,
): EpisodeEvent {
  const { block, hint, signal, stuck, retrieved } = advice;
  const active = signal?.activeSubTask;
  const record: AdviceRecord = {
    callId,
    block,
    hint,
    phase: signal?.phase ?? null,
    policyPhase: signal?.policyPhase ?? null,
    subTask: active ? { id: active.id, title: active.title } : null,
    done: signal?.done ?? 0,
    total: signal?.total ?? 0,
    backtrack: signal?.backtrack ?? false,
    stuck: stuck?.reason ?? null,
    retrieved,
  };
  return { type: "advice", step, ...record };
}
