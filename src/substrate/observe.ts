import { understandNext } from "./command.ts";
import type { Rules } from "./couplings.ts";
import { noBlockYet } from "./injection/firing.ts";
import { inject } from "./injection/inject.ts";
import { beginMemory, skipMessages } from "./memory/memory.ts";
import { detect } from "./planner/detect.ts";
import { noLoop } from "./planner/loop-hint.ts";
import { beginPlan } from "./planner/plan.ts";
import { exportSignal } from "./planner/signal.ts";
import { recall } from "./recall.ts";
import { noMemory } from "./shell/memory.ts";
import {
  type Advice,
  type Evidence,
  noEvidence,
  type ObservedStep,
  type OpenTurn,
  type SubstrateOptions,
  type SubstrateState,
} from "./state.ts";
import { type Call, detectInput, messagesOf, type TakenIn, takeIn } from "./take-in.ts";

export interface Observed {
  readonly state: SubstrateState;
  readonly advice: Advice;
}

const noTurn: OpenTurn = { backtracked: false, submits: false, stuck: null, hint: null };

/** The substrate at the start of an episode: plan and memory as far as they are switched on. */
export function begin(task: string, options: SubstrateOptions): SubstrateState {
  const { root, files, decomposition = null, reproducer = null } = options;
  const rules = rulesOf(options.config);
  const { planner, memory } = rules;
  return {
    rules,
    root,
    // An empty listing, of a folder that is no repository, tells nothing.
    files: files === undefined || files.length === 0 ? null : files.toSorted(),
    reproducer,
    shell: noMemory,
    plan: planner.on ? beginPlan({ issue: task, reply: decomposition }, rules).state : null,
    memory: memory.on ? beginMemory({ task, root }, memory) : null,
    loop: noLoop,
    injection: noBlockYet,
    turn: noTurn,
  };
}

/**
 * One call of the agent, in this order: its command is understood; memory mirrors it and counts;
 * the plan decides its phase, credits and closes sub-tasks, and asks whether the agent is stuck;
 * with the turn's last call memory is asked what matters now, and what is due and new becomes the
 * block (arXiv:2608.06811, III-A). `evidence` is what grounding showed of the tree after the call.
 *
 * Pure and deterministic: the same state, step and evidence give the same result, from a state that
 * was written as JSON and read back too. Never throws, whatever the step holds.
 */
export function observe(
  state: SubstrateState,
  step: ObservedStep,
  evidence: Evidence = noEvidence,
): Observed {
  const understood = step.command === null ? null : understandNext(state, step.command);
  const call: Call = { step, understood, evidence };
  if (step.rejected) return classify(state, call);
  const taken = takeIn(state, call);
  const advice = adviceOn(taken, call);
  if (step.more) return { state: taken.state, advice };
  const closed = { ...taken.state, turn: noTurn };
  return understood === null
    ? { state: closed, advice }
    : show(closed, { turn: taken.state.turn, advice, step: step.index });
}

function rulesOf({ planner, stuck, memory, couplings, injection, seed }: Rules): Rules {
  return { planner, stuck, memory, couplings, injection, seed };
}

/** A refused reply, as it was meant: nothing came of it but its messages. */
function classify(state: SubstrateState, call: Call): Observed {
  const { plan, memory, rules } = state;
  const { index: step } = call.step;
  const { verdict } = call.evidence;
  const moment = { step, stats: memory?.stats ?? null, verdict, backtrack: false };
  return {
    state: { ...state, memory: memory && skipMessages(memory, messagesOf(call.step)) },
    advice: {
      ...silent,
      action: call.understood?.action ?? null,
      detection: plan && detect(plan.detector, detectInput(state, call), rules.planner),
      signal: plan && exportSignal(plan, moment, rules.planner),
    },
  };
}

const silent: Advice = {
  block: null,
  hint: null,
  action: null,
  detection: null,
  signal: null,
  stuck: null,
  log: [],
  retrieved: [],
};

function adviceOn({ state, advance }: TakenIn, { understood }: Call): Advice {
  const { hint, stuck, backtracked } = state.turn;
  return {
    ...silent,
    hint,
    stuck,
    action: understood?.action ?? null,
    detection: advance?.detection ?? null,
    signal: advance && { ...advance.signal, backtrack: backtracked },
    log: advance?.log ?? [],
  };
}

/** Recall and block, once a turn, for its newest result. */
function show(
  closed: SubstrateState,
  {
    turn,
    advice,
    step,
  }: { readonly turn: OpenTurn; readonly advice: Advice; readonly step: number },
): Observed {
  const { rules, memory, reproducer } = closed;
  const recalled = memory && recall(memory, advice.signal, rules);
  const retrieved = recalled?.retrieved ?? [];
  if (!rules.injection.on) return { state: closed, advice: { ...advice, retrieved } };
  const offer = {
    step,
    signal: advice.signal,
    memory: recalled?.offer ?? null,
    isArmed: reproducer !== null,
    isSubmit: turn.submits,
    hint: turn.hint,
  };
  const { state: injection, block } = inject(closed.injection, offer, {
    config: rules.injection,
    seed: rules.seed,
  });
  return { state: { ...closed, injection }, advice: { ...advice, retrieved, block } };
}
