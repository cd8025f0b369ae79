import type { StuckSignal } from "../domain/plan.ts";
import { callOf } from "../substrate/memory/call.ts";
import { count } from "../substrate/memory/statistics.ts";
import { countersOf } from "../substrate/planner/stuck.ts";
import type { Advice, ObservedStep, SubstrateState } from "../substrate/state.ts";

/** Counts towards the thresholds of stuck detection; a signal that nobody counts is missing. */
export type Counts = { readonly [Signal in StuckSignal]?: number };

/** A call, what it gave, and the state after it. */
interface Counted {
  readonly step: ObservedStep;
  readonly advice: Advice;
  readonly state: SubstrateState;
}

/**
 * The counts that the stuck check saw at a call. A backtrack sets them to 0 in the same call, so
 * they are counted anew from the state before it.
 */
export function countsAfter(before: SubstrateState, { step, advice, state }: Counted): Counts {
  const { plan, memory, rules } = before;
  if (plan === null) return {};
  const back = (state.plan?.backtracks ?? 0) > plan.backtracks;
  const failures = back ? plan.failures + 1 : (state.plan?.failures ?? 0);
  if (memory === null || !rules.couplings.statsPlan) return { failedReturns: failures };
  const stats =
    advice.action === null || step.rejected
      ? memory.stats
      : count(memory.stats, callOf({ ...step, command: step.command ?? "" }, advice.action));
  const counters = countersOf(stats, failures, rules.stuck);
  return {
    repeatedEdits: counters.edits?.n ?? 0,
    failedReturns: counters.failures,
    repeatedAction: counters.actions?.n ?? 0,
    readSaturation: counters.reads,
  };
}

/** The greater of two counts, signal by signal. */
export function mostOf(a: Counts, b: Counts): Counts {
  const signals = [...new Set([...Object.keys(a), ...Object.keys(b)])] as StuckSignal[];
  return Object.fromEntries(signals.map((name) => [name, Math.max(a[name] ?? 0, b[name] ?? 0)]));
}
