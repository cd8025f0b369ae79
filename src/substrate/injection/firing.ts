import type { InjectionConfig } from "../../domain/config/injection.ts";
import type { ExportedSignal, MemoryStats } from "../../domain/plan.ts";

/** What is remembered of the blocks so far, as plain JSON. */
export interface InjectionState {
  /** Firing key and header of the newest block; null before the first. */
  readonly key: string | null;
  readonly header: string | null;
  /** Turn of the newest block; null before the first. */
  readonly step: number | null;
  /** Ids of the nodes that blocks have shown since the last backtrack. */
  readonly shown: readonly number[];
}

export const noBlockYet: InjectionState = { key: null, header: null, step: null, shown: [] };

/**
 * What a block reports of the plan: a new one is due when this changes (arXiv:2608.06811, III-D:
 * "injection fires only when the plan state changes").
 */
export function planKey(signal: ExportedSignal): string {
  const { phase, policyPhase, activeSubTask, done, total, backtracks, verdict } = signal;
  return JSON.stringify([
    phase,
    policyPhase,
    activeSubTask?.id ?? null,
    done,
    total,
    backtracks,
    verdict,
  ]);
}

/** The same without a plan: the files in focus, a run of failures, how many files were edited. */
export function memoryKey(
  stats: MemoryStats,
  focus: readonly string[],
  { failures }: InjectionConfig,
): string {
  const isFailing = stats.consecutiveFailures >= failures;
  return JSON.stringify([[...focus].sort(), isFailing, Object.keys(stats.editCount).length]);
}

/** Whether a block is due. */
export function fires(
  state: InjectionState,
  {
    key,
    step,
    interval,
  }: { readonly key: string; readonly step: number; readonly interval: number },
): boolean {
  const isRested = state.step === null || step - state.step >= interval;
  return isRested && key !== state.key;
}
