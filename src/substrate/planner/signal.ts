import type { PlannerConfig } from "../../domain/config/planner.ts";
import type { ExportedSignal, MemoryStats, PlanState, Verdict } from "../../domain/plan.ts";
import { phaseOf } from "./phase-state.ts";
import { activeItem } from "./subtasks.ts";

/** What the signal reports besides the plan itself. */
export interface Moment {
  readonly step: number;
  readonly stats: MemoryStats | null;
  readonly verdict: Verdict;
  /** This very call backtracked. */
  readonly backtrack: boolean;
}

/** Most-touched files that the signal names (our choice: the two that seed the anchor). */
const mostTouched = 2;

/** The compact signal that conditions retrieval and injection (arXiv:2608.06811, III-B). */
export function exportSignal(
  state: PlanState,
  { step, stats, verdict, backtrack }: Moment,
  { phaseBudget }: Pick<PlannerConfig, "phaseBudget">,
): ExportedSignal {
  const { chart, queue, stack, failed, backtracks } = state;
  const active = activeItem(state);
  const position = queue.findIndex(({ id }) => id === active?.id);
  return {
    step,
    phase: phaseOf(chart),
    policyPhase: chart.at,
    activeSubTask: active && {
      id: active.id,
      title: active.title,
      phase: active.phase,
      keywords: active.keywords,
      files: active.files,
      position: position < 0 ? null : position + 1,
    },
    failedSubTask: failed && {
      id: failed.id,
      title: failed.title,
      keywords: failed.keywords,
      reason: failed.failReason ?? "",
    },
    done: queue.filter(({ status }) => status === "done").length,
    total: queue.length,
    recovery: stack.length,
    backtracks,
    backtrack,
    mostTouched: stats?.topTouched.slice(0, mostTouched).map(({ file }) => file) ?? [],
    tokenBudget: phaseBudget[chart.at],
    verdict,
  };
}
