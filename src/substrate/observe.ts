import type { Step } from "../domain/episode.ts";
import { type Understood, understandNext } from "./command.ts";
import { planOptions, type Rules } from "./couplings.ts";
import { noBlockYet } from "./injection/firing.ts";
import { inject } from "./injection/inject.ts";
import { callOf } from "./memory/call.ts";
import { beginMemory, type Memory, remember, skipMessages } from "./memory/memory.ts";
import { afterBacktrack, afterCheck, afterIntegrity } from "./memory/statistics.ts";
import { detect } from "./planner/detect.ts";
import { noLoop, noteLoop } from "./planner/loop-hint.ts";
import { type Advance, advancePlan, beginPlan } from "./planner/plan.ts";
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

export interface Observed {
  readonly state: SubstrateState;
  readonly advice: Advice;
}

/** A call as the rooms of the substrate take it; `understood` null: the turn held none. */
interface Call {
  readonly step: ObservedStep;
  readonly understood: Understood | null;
  readonly evidence: Evidence;
}

const quietTurn: OpenTurn = { backtracked: false, submitted: false, hint: null };

/** The substrate at the start of an episode: plan and memory as far as they are switched on. */
export function begin(task: string, options: SubstrateOptions): SubstrateState {
  const { root, files, decomposition = null, reproducer = null } = options;
  const rules = rulesOf(options.config);
  const { planner, memory } = rules;
  return {
    rules,
    root,
    files: files ?? null,
    reproducer,
    shell: noMemory,
    plan: planner.on ? beginPlan({ issue: task, reply: decomposition }, rules).state : null,
    memory: memory.on ? beginMemory({ task, root }, memory) : null,
    loop: noLoop,
    injection: noBlockYet,
    turn: quietTurn,
  };
}

/**
 * One call of the agent, in this order: its command is understood; memory mirrors it and counts;
 * the plan decides its phase, credits and closes sub-tasks, and asks whether the agent is stuck;
 * with the turn's last call memory is asked what matters now, and what is due and new becomes the
 * block (arXiv:2608.06811, III-A). `evidence` is what grounding showed of the tree after the call.
 *
 * Pure and deterministic: the same states and steps give the same results, from a state that was
 * written as JSON and read back too. Never throws, whatever the step holds.
 */
export function observe(
  state: SubstrateState,
  step: ObservedStep,
  evidence: Evidence = noEvidence,
): Observed {
  const understood = step.command === null ? null : understandNext(state, step.command);
  const call: Call = { step, understood, evidence };
  return step.rejected ? classify(state, call) : closeTurn(takeIn(state, call), call);
}

function rulesOf({ planner, stuck, memory, couplings, injection, seed }: Rules): Rules {
  return { planner, stuck, memory, couplings, injection, seed };
}

/** A refused reply, as it was meant: nothing came of it but two more messages. */
function classify(state: SubstrateState, call: Call): Observed {
  const { plan, memory, rules } = state;
  const moment = {
    step: call.step.index,
    stats: memory?.stats ?? null,
    verdict: call.evidence.verdict,
    backtrack: false,
  };
  return {
    state: { ...state, memory: memory && skipMessages(memory, unanswered(call.step)) },
    advice: {
      ...silent,
      action: call.understood?.action ?? null,
      detection: plan && detect(plan.detector, detectInput(state, call), rules.planner),
      signal: plan && exportSignal(plan, moment, rules.planner),
    },
  };
}

/** Messages of a turn of which nothing ran: its own, and the answers. */
function unanswered({ answers = 1 }: ObservedStep): number {
  return 1 + answers;
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

function detectInput({ reproducer }: SubstrateState, { step, understood }: Call) {
  return {
    text: step.thought,
    command: step.command ?? "",
    action: understood?.action ?? null,
    preparesEdit: understood?.preparesEdit ?? false,
    reproducer,
  };
}

/** The call through memory and plan. */
function takeIn(state: SubstrateState, call: Call): Observed {
  const mirrored = state.memory && mirror(state.memory, call, state.rules);
  const advance =
    state.plan &&
    advancePlan(state.plan, planInput(state, mirrored, call), planOptions(state.rules));
  const { loop, hint } = lookForLoop(state, call);
  const { understood } = call;
  return {
    state: {
      ...state,
      shell: understood?.shell ?? state.shell,
      plan: advance?.state ?? null,
      memory: mirrored && settle(mirrored, advance, call),
      loop,
      turn: goOn(state.turn, { hint, advance, understood }),
    },
    advice: {
      ...silent,
      hint,
      action: understood?.action ?? null,
      detection: advance?.detection ?? null,
      signal: advance?.signal ?? null,
      stuck: advance?.log.find((event) => event.type === "stuck") ?? null,
      log: advance?.log ?? [],
    },
  };
}

/** The turn so far, with one more call. */
function goOn(
  turn: OpenTurn,
  {
    hint,
    advance,
    understood,
  }: Pick<Call, "understood"> & Pick<Advice, "hint"> & { readonly advance: Advance | null },
): OpenTurn {
  const submits = understood?.action.segments.some((segment) => segment.class === "submit");
  return {
    backtracked: turn.backtracked || advance?.signal.backtrack === true,
    submitted: turn.submitted || submits === true,
    hint: hint ?? turn.hint,
  };
}

/** Memory with the call's raw text and counts; of a turn without a call only its place is kept. */
function mirror(memory: Memory, { step, understood, evidence }: Call, rules: Rules): Memory {
  if (understood === null) return skipMessages(memory, unanswered(step));
  const executed: Step = { ...step, command: step.command ?? "" };
  const grown = remember(memory, callOf(executed, understood.action), rules.memory);
  return { ...grown, stats: afterIntegrity(grown.stats, evidence) };
}

function planInput(state: SubstrateState, memory: Memory | null, call: Call) {
  const { step, understood, evidence } = call;
  return {
    ...detectInput(state, call),
    step: step.index,
    exitCode: understood === null ? null : step.exitCode,
    output: step.output,
    stats: memory?.stats ?? null,
    verdict: evidence.verdict,
  };
}

/** What the plan's decision starts anew in memory's counts. */
function settle(memory: Memory, advance: Advance | null, { step, evidence }: Call): Memory {
  const isVerified =
    advance?.detection.isCheck === true && advance.state.chart.proven && step.exitCode === 0;
  const checked = afterCheck(memory.stats, { verdict: evidence.verdict, isVerified });
  return { ...memory, stats: advance?.signal.backtrack ? afterBacktrack(checked) : checked };
}

function lookForLoop({ loop, rules }: SubstrateState, { step, understood, evidence }: Call) {
  const { on, ...limits } = rules.planner.loopHint;
  if (!on || !rules.planner.on || understood === null) return { loop, hint: null };
  const input = {
    step: step.index,
    command: step.command ?? "",
    output: step.output,
    exitCode: step.exitCode,
    mutates: understood.action.mutating,
    tree: evidence.tree,
  };
  const { state, hint } = noteLoop(loop, input, limits);
  return { loop: state, hint };
}

/** Recall and block, once a turn, for its newest result. */
function closeTurn({ state, advice }: Observed, { step, understood }: Call): Observed {
  if (understood === null || step.more) return { state, advice };
  const { rules, memory, turn, reproducer } = state;
  const signal = advice.signal && { ...advice.signal, backtrack: turn.backtracked };
  const recalled = memory && recall(memory, signal, rules);
  const retrieved = recalled?.retrieved ?? [];
  const closed = { ...state, turn: quietTurn };
  if (!rules.injection.on) return { state: closed, advice: { ...advice, retrieved } };
  const { state: injection, block } = inject(
    state.injection,
    {
      step: step.index,
      signal,
      memory: recalled?.offer ?? null,
      isArmed: reproducer !== null,
      isSubmit: turn.submitted,
      hint: turn.hint,
    },
    { config: rules.injection, seed: rules.seed },
  );
  return { state: { ...closed, injection }, advice: { ...advice, retrieved, block } };
}
