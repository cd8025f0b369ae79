import type { InjectionConfig } from "../../domain/config/injection.ts";
import { neutralLine } from "../../domain/neutral.ts";
import type { ExportedSignal, MemoryStats } from "../../domain/plan.ts";
import { blockOf, headerOf, type Recollection, recollectionLine } from "./block.ts";
import { fires, type InjectionState, memoryKey, planKey } from "./firing.ts";
import { prescription, sift } from "./novelty.ts";
import { placeboLines } from "./placebo.ts";

/** What plan and memory offer after one step. */
export interface Offer {
  /** The assistant turn. */
  readonly step: number;
  /** null: there is no planner. */
  readonly signal: ExportedSignal | null;
  /** null: there is no memory. */
  readonly memory: OfferedMemory | null;
  /** There is a reproduction script. */
  readonly isArmed: boolean;
  /** The step submitted: nothing is shown any more. */
  readonly isSubmit: boolean;
  /** An advisory line that is due now, whatever the plan; null when there is none. */
  readonly hint: string | null;
}

export interface OfferedMemory {
  readonly stats: MemoryStats;
  /** Files that the anchor stands on. */
  readonly focus: readonly string[];
  /** In the order in which they are to be shown. */
  readonly recalled: readonly Recollection[];
  /** What a placebo draws from: every node that could have been recalled. */
  readonly eligible: readonly Recollection[];
}

export interface Injection {
  readonly state: InjectionState;
  /** To be appended to the newest tool result; null when nothing is due or new. */
  readonly block: string | null;
}

/**
 * The block that is due after a step (arXiv:2608.06811, III-D and Fig. 4): a header of plan state,
 * notes, and the leading recalled nodes that were not shown before, within the token budget. Without
 * a planner it holds recalled nodes alone, at most once in `interval` steps; without a memory,
 * header and notes alone.
 * @param seed decides the lines of a placebo.
 */
export function inject(
  before: InjectionState,
  offer: Offer,
  { config, seed }: { readonly config: InjectionConfig; readonly seed: number },
): Injection {
  const { step, signal, memory, hint } = offer;
  const state = signal?.backtrack ? { ...before, shown: [] } : before;
  const key = keyOf(offer, config);
  const interval = signal === null ? config.interval : 0;
  const isDue = hint !== null || fires(state, { key, step, interval });
  if (!isDue || offer.isSubmit) return { state, block: null };
  const { header, notes, fresh } = contentOf(state, offer, config);
  if (fresh.length === 0 && notes.length === 0 && header === state.header) {
    return { state, block: null };
  }
  const real = fresh.map((node) => recollectionLine(node, config.excerptChars));
  const lines = config.placebo ? placeboLines(real, memory?.eligible ?? [], { seed, step }) : real;
  const block = blockOf({ header, notes, lines }, config.budget);
  if (block === null) return { state, block: null };
  const shown = [...state.shown, ...fresh.slice(0, block.lines).map(({ id }) => id)];
  return { state: { key, header, step, shown }, block: block.text };
}

function keyOf({ signal, memory }: Offer, config: InjectionConfig): string {
  if (signal !== null) return planKey(signal);
  return memory === null ? "" : memoryKey(memory.stats, memory.focus, config);
}

interface Content {
  readonly header: string | null;
  readonly notes: readonly string[];
  readonly fresh: readonly Recollection[];
}

function contentOf(
  state: InjectionState,
  { signal, memory, isArmed, hint }: Offer,
  config: InjectionConfig,
): Content {
  const stats = memory?.stats ?? null;
  const leading = memory?.recalled.slice(0, config.nodes) ?? [];
  const { fresh, isThin } = sift(leading, state.shown);
  const advice = signal && isThin ? prescription(signal, stats, config.churn) : null;
  return {
    header: signal && headerOf(signal, { stats, isArmed }),
    notes: [hint && neutralLine(hint), advice].filter((note) => note !== null),
    fresh,
  };
}
