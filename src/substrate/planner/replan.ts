import { suppression } from "../../../statecharts/phase.ts";
import type { PlannerConfig, StuckConfig } from "../../domain/config/planner.ts";
import type { MemoryStats, PlanEvent, PlanState } from "../../domain/plan.ts";
import { nextPhase } from "./phase-state.ts";
import { type Failure, recoveryItems, templateFor } from "./recovery.ts";
import { type Counters, countersOf, stuckBy } from "./stuck.ts";
import { activeItem, failActive } from "./subtasks.ts";

/** The plan after a call, and what happened to it. */
export interface Replanned {
  readonly state: PlanState;
  readonly log: readonly PlanEvent[];
}

/**
 * The stuck check. When a counter stands at its threshold, and floor, cooldown and depth allow it,
 * the active item fails and a recovery is put on the stack (arXiv:2608.06811, III-B); otherwise the
 * log says what held it back. The stack's depth is taken before the failed item leaves it.
 */
export function replan(
  state: PlanState,
  { step, stats }: { readonly step: number; readonly stats: MemoryStats | null },
  rules: { readonly planner: PlannerConfig; readonly stuck: StuckConfig },
): Replanned {
  const counters = countersOf(stats, state.failures, rules.stuck);
  const stuck = stuckBy(counters, rules.stuck);
  if (stuck === null) return { state, log: [] };
  const failure = failureOf(state, counters, stuck.signal);
  const recovery = recoveryItems(failure, state.backtracks + 1);
  const attempt = { step, depth: state.stack.length + recovery.length };
  const { lastBacktrack } = state.chart;
  const suppressed = suppression({ rules: rules.planner, lastBacktrack }, attempt);
  const noted: PlanEvent = { type: "stuck", ...stuck, suppressed, template: templateFor(failure) };
  if (suppressed !== null) return { state, log: [noted] };
  const chart = nextPhase(state.chart, { type: "STUCK", ...attempt }, rules.planner);
  const { queue, stack, failed } = failActive(state, stuck.reason);
  return {
    state: {
      ...state,
      chart,
      queue,
      stack: [...stack, ...recovery.toReversed()],
      failed: failed ?? state.failed,
      backtracks: state.backtracks + 1,
      failures: 0,
    },
    log: [
      noted,
      { type: "phase", from: state.chart.at, to: chart.at },
      ...(failed === null ? [] : [changeOf(failed.id, "failed", stuck.reason)]),
      ...recovery.map(({ id, title }) => changeOf(id, "opened", title)),
    ],
  };
}

function failureOf(
  state: PlanState,
  { heavy, actions }: Counters,
  signal: Failure["signal"],
): Failure {
  const created = heavy.filter((file) => state.detector.scratch.includes(file));
  return { signal, failed: activeItem(state), heavy, created, repeated: actions };
}

function changeOf(id: string, change: "failed" | "opened", reason: string): PlanEvent {
  return { type: "subtask", id, change, reason };
}
