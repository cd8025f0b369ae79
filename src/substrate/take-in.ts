import type { Step } from "../domain/episode.ts";
import type { PlanEvent } from "../domain/plan.ts";
import { noteListed, type Understood } from "./command.ts";
import { planOptions } from "./couplings.ts";
import { callOf } from "./memory/call.ts";
import { type Memory, remember, skipMessages } from "./memory/memory.ts";
import { afterBacktrack, afterCheck, afterIntegrity } from "./memory/statistics.ts";
import { noteLoop } from "./planner/loop-hint.ts";
import { type Advance, advancePlan, type PlanInput } from "./planner/plan.ts";
import type { DetectInput } from "./planner/seen-call.ts";
import type { Evidence, ObservedStep, OpenTurn, SubstrateState } from "./state.ts";

/** A call as the rooms of the substrate take it; `understood` null: the turn held none. */
export interface Call {
  readonly step: ObservedStep;
  readonly understood: Understood | null;
  readonly evidence: Evidence;
}

/** The state after a call went through memory and plan, and what the plan made of it. */
export interface TakenIn {
  readonly state: SubstrateState;
  /** null: there is no planner. */
  readonly advance: Advance | null;
}

/** One call through memory, plan and loop hint, in this order (arXiv:2608.06811, III-A). */
export function takeIn(state: SubstrateState, call: Call): TakenIn {
  const mirrored = state.memory && mirror(state.memory, call, state);
  const advance =
    state.plan &&
    advancePlan(state.plan, planInput(state, mirrored, call), planOptions(state.rules));
  const { loop, hint } = lookForLoop(state, call);
  const backtracked = advance?.signal.backtrack === true;
  const taken: SubstrateState = {
    ...state,
    shell: call.understood
      ? noteListed(call.understood, { ...state, output: call.step.output })
      : state.shell,
    plan: advance?.state ?? null,
    memory: mirrored && settle(mirrored, advance, call),
    loop,
    injection: backtracked ? { ...state.injection, shown: [] } : state.injection,
    turn: goOn(state.turn, { hint, backtracked, stuck: stuckIn(advance), submits: submits(call) }),
  };
  return { state: taken, advance };
}

/** Messages of a turn of which nothing ran: its own, and the answers. */
export function messagesOf({ answers = 1 }: ObservedStep): number {
  return 1 + answers;
}

export function detectInput(
  { reproducer }: SubstrateState,
  { step, understood }: Call,
): DetectInput {
  return {
    text: step.thought,
    command: step.command ?? "",
    action: understood?.action ?? null,
    preparesEdit: understood?.preparesEdit ?? false,
    reproducer,
  };
}

/** Memory with the call's raw text and counts; of a turn without a call only its place is kept. */
function mirror(memory: Memory, { step, understood, evidence }: Call, { rules }: SubstrateState) {
  if (understood === null) return skipMessages(memory, messagesOf(step));
  const executed: Step = { ...step, command: step.command ?? "" };
  const grown = remember(memory, callOf(executed, understood.action), rules.memory);
  return { ...grown, stats: afterIntegrity(grown.stats, evidence) };
}

function planInput(state: SubstrateState, memory: Memory | null, call: Call): PlanInput {
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
  const stats = afterCheck(memory.stats, {
    verdict: evidence.verdict,
    isVerified,
    isTest: advance?.detection.kind === "test",
  });
  return { ...memory, stats: advance?.signal.backtrack ? afterBacktrack(stats) : stats };
}

function lookForLoop({ loop, rules }: SubstrateState, { step, understood, evidence }: Call) {
  const { on, ...limits } = rules.planner.loopHint;
  if (!on || !rules.planner.on || understood === null) return { loop, hint: null };
  const { state, hint } = noteLoop(
    loop,
    {
      step: step.index,
      command: step.command ?? "",
      output: step.output,
      exitCode: step.exitCode,
      mutates: understood.action.mutating,
      tree: evidence.tree,
    },
    limits,
  );
  return { loop: state, hint };
}

function stuckIn(advance: Advance | null): OpenTurn["stuck"] {
  return advance?.log.find((event: PlanEvent) => event.type === "stuck") ?? null;
}

function submits({ understood }: Call): boolean {
  return understood?.action.segments.some((segment) => segment.class === "submit") === true;
}

/** The turn so far, with one more call. */
function goOn(turn: OpenTurn, call: OpenTurn): OpenTurn {
  return {
    backtracked: turn.backtracked || call.backtracked,
    submits: turn.submits || call.submits,
    stuck: call.stuck ?? turn.stuck,
    hint: call.hint ?? turn.hint,
  };
}
