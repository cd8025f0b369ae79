import type { Phase, PolicyPhase } from "../domain/phase.ts";
import type { RecoveryTemplate, StuckSignal, Suppression } from "../domain/plan.ts";
import type { Advice } from "../substrate/state.ts";
import type { ReplayedTurn } from "./replay.ts";

/** A turn as `replay --json` prints it, keys in this order. */
export interface ReplayLine {
  readonly instance_id: string | null;
  readonly step: number;
  readonly detected: Phase | null;
  readonly phase: PolicyPhase | null;
  readonly action: {
    readonly kind: string;
    readonly normalized: string | null;
    /** Distinct paths, relative to the repository where they lie in it, else absolute. */
    readonly reads: readonly string[];
    /** Every file that may differ afterwards, reverted and deleted ones too. */
    readonly writes: readonly string[];
  };
  /** `suppressed` null: the plan backtracked at this step. */
  readonly stuck: {
    readonly signal: StuckSignal;
    readonly reason: string;
    readonly suppressed: Suppression | null;
    readonly template: RecoveryTemplate;
  } | null;
  readonly hint: string | null;
  /** Ids of the recalled nodes, which are their messages' positions. */
  readonly retrieved: readonly number[];
  readonly block: string | null;
  /** Milliseconds in the substrate. */
  readonly ms: number;
}

const silent = { stuck: null, hint: null, retrieved: [], block: null } as const;

export function replayLine(instanceId: string | null, turn: ReplayedTurn): ReplayLine {
  const { step, detected, phase, advice, ms } = turn;
  const { stuck, hint, retrieved, block } = advice.at(-1) ?? silent;
  return {
    instance_id: instanceId,
    step,
    detected,
    phase,
    action: {
      kind: kindOf(turn),
      normalized: normalizedOf(advice),
      reads: readsOf(turn),
      writes: writesOf(turn),
    },
    stuck: stuck
      ? {
          signal: stuck.signal,
          reason: stuck.reason,
          suppressed: stuck.suppressed,
          template: stuck.template,
        }
      : null,
    hint,
    retrieved,
    block,
    ms: Math.round(ms * 1000) / 1000,
  };
}

/** What the turn was: a submission if any of its calls is one, else its last call of any kind. */
export function kindOf({ advice }: ReplayedTurn): string {
  const kinds = advice.flatMap(({ detection }) => detection?.kind ?? []);
  if (kinds.includes("submit")) return "submit";
  return kinds.findLast((kind) => kind !== "none") ?? "none";
}

/** The files it read, as far as it ran. */
export function readsOf({ rejected, advice }: ReplayedTurn): readonly string[] {
  if (rejected) return [];
  return distinct(advice.flatMap(({ action }) => action?.reads ?? []).map(({ path }) => path));
}

/** The files that it may have changed, as far as it ran. */
export function writesOf({ rejected, advice }: ReplayedTurn): readonly string[] {
  return rejected ? [] : distinct(advice.flatMap(({ action }) => action?.changed ?? []));
}

function normalizedOf(advice: readonly Advice[]): string | null {
  const parts = advice.flatMap(({ action }) => action?.normalized ?? []);
  return parts.length === 0 ? null : parts.join("; ");
}

function distinct(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
