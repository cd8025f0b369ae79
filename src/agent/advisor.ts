import type { RunConfig } from "../domain/config/run-config.ts";
import type { AdviceRecord, EpisodeEvent, Observation } from "../domain/episode.ts";
import { begin, observe } from "../substrate/observe.ts";
import type { Advice, ObservedStep, SubstrateState } from "../substrate/state.ts";

export interface AdvisorStart {
  readonly config: RunConfig;
  readonly issue: string;
  readonly workdir: string;
  readonly files: readonly string[];
  /** The model's answer to the decomposition request, if it gave one. */
  readonly decomposition: string | null;
}

/** A turn's place and words, which each of its calls shares. */
export interface Turn {
  readonly step: number;
  readonly thought: string;
}

/** Whether anything of the substrate is on; if not, none of it is made. */
export function wantsAdvice({ planner, memory }: RunConfig): boolean {
  return planner.on || memory.on;
}

/** The substrate beside the loop: it is told of each call, and its last word of a turn is recorded. */
export class Advisor {
  #state: SubstrateState;

  constructor({ config, issue, workdir, files, decomposition }: AdvisorStart) {
    this.#state = begin(issue, { config, root: workdir, files, decomposition });
  }

  /** `more`: further calls of this turn follow, so there is nothing to say yet. */
  afterCall(
    turn: Turn,
    command: string,
    observation: Observation,
    more: boolean,
  ): readonly EpisodeEvent[] {
    const { output, exitCode, timedOut, callId } = observation;
    const { step: index, thought } = turn;
    const advice = this.#observe({ index, thought, command, output, exitCode, timedOut, more });
    return more ? [] : [adviceEvent(turn, callId, advice)];
  }

  /** A turn that ran nothing, answered with `answers` messages. */
  afterFormatError({ step, thought }: Turn, answers: number): readonly EpisodeEvent[] {
    const advice = this.#observe({
      index: step,
      thought,
      command: null,
      output: "",
      exitCode: null,
      timedOut: false,
      answers,
    });
    return [adviceEvent({ step, thought }, null, advice)];
  }

  #observe(step: ObservedStep): Advice {
    const { state, advice } = observe(this.#state, step);
    this.#state = state;
    return advice;
  }
}

function adviceEvent({ step }: Turn, callId: string | null, advice: Advice): EpisodeEvent {
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
