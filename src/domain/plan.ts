import type { Phase, PolicyPhase } from "./phase.ts";

/** What the reproduction script said of the current tree; `undefined`: none, not run, or no answer. */
export type Verdict = "pass" | "fail" | "undefined";

/**
 * Counts over the episode so far, a fold over its calls (arXiv:2608.06811, III-B: "aggregate
 * statistics"). "Since the reset" means since the last backtrack. Every count advances once per
 * executed call.
 */
export interface MemoryStats {
  /** The assistant turn of the newest call, from 1. */
  readonly step: number;
  /** Calls that edited a file, by path, scratch files too; reverts do not add. */
  readonly editCount: Readonly<Record<string, number>>;
  /** The same since the reset; a revert sets the file to 0, one without named files sets all to 0. */
  readonly editsSinceReset: Readonly<Record<string, number>>;
  /** The same since the last passing check. */
  readonly editsSincePass: Readonly<Record<string, number>>;
  /** Calls that only read, since the last source edit or the reset. */
  readonly readsSinceEdit: number;
  /** Calls that only read or looked back, since the last passing test run or verdict, or the reset. */
  readonly readsSinceCheck: number;
  /** Calls in a row with a nonzero exit code, since the reset; "no match" counts as neither. */
  readonly consecutiveFailures: number;
  /** Occurrences of each normalised action since the reset; submits left out. */
  readonly actionCount: Readonly<Record<string, number>>;
  /** Most touched first; ties: touched last, then path. */
  readonly topTouched: readonly { readonly file: string; readonly n: number }[];
  /** Files that the last integrity check could not parse. */
  readonly corrupt: readonly string[];
  /** Calls that edited a source file or an unresolved target; never falls. */
  readonly sourceEdits: number;
}

/** Revert and fix again · read the error · try another probe · commit to one place. */
export type RecoveryTemplate = "RT-REFIX" | "RT-DIAG" | "RT-ALT" | "RT-COMMIT";

export interface SubTask {
  /** `p1`, `p2`, … for plan items; `r2.1` is the first item of the second recovery. */
  readonly id: string;
  readonly title: string;
  readonly phase: Phase;
  readonly keywords: readonly string[];
  /** Files that the item names; empty for plan items. */
  readonly files: readonly string[];
  /** The backtrack that opened it, from 1; null for a plan item. */
  readonly recovery: number | null;
  /** The one item that only a proven verification completes. */
  readonly terminal: boolean;
  readonly status: "pending" | "done" | "failed";
  /** Closed without evidence. */
  readonly skipped: boolean;
  /** Calls that worked on it. */
  readonly evidence: number;
  /** Calls in a row that stood past its phase while it had no evidence. */
  readonly passed: number;
  /** Those of `files` that a revert has touched since the item was opened. */
  readonly restored: readonly string[];
  readonly failReason: string | null;
}

/** The statechart's state as plain JSON. */
export interface ChartState {
  readonly at: PolicyPhase;
  /** In verify: a verification step has succeeded since the last edit. */
  readonly proven: boolean;
  /** An earlier phase that was proposed `count` times and not yet accepted. */
  readonly pending: { readonly phase: Phase; readonly count: number } | null;
  readonly lastBacktrack: number | null;
}

/** What the detector remembers between calls. */
export interface DetectorState {
  /** Calls that edited a source file or an unresolved target; never falls. */
  readonly sourceEdits: number;
  /** A source edit was more than prints put in to look around. */
  readonly repaired: boolean;
  /** Such prints stand in the source, as far as the commands tell. */
  readonly probing: boolean;
  /** Source files edited so far. */
  readonly edited: readonly string[];
  /** Those of the newest edit or revert, while nothing but reading has followed. */
  readonly fresh: readonly string[];
  /** Files outside the source that were written so far. */
  readonly scratch: readonly string[];
}

export interface PlanState {
  readonly chart: ChartState;
  readonly detector: DetectorState;
  /** The decomposition, in order. */
  readonly queue: readonly SubTask[];
  /** Open recovery items; the last is the top. */
  readonly stack: readonly SubTask[];
  /** The newest item that failed, while its recovery is open. */
  readonly failed: SubTask | null;
  readonly backtracks: number;
  /** Nonzero exit codes in a row, the planner's own count for when memory gives no statistics. */
  readonly failures: number;
}

export type StuckSignal = "repeatedEdits" | "failedReturns" | "repeatedAction" | "readSaturation";

/** Why a backtrack did not happen although the agent is stuck. */
export type Suppression = "floor" | "cooldown" | "depth";

/** What one call did to the plan. */
export type PlanEvent =
  | { readonly type: "phase"; readonly from: PolicyPhase; readonly to: PolicyPhase }
  | {
      readonly type: "subtask";
      readonly id: string;
      readonly change: "done" | "skipped" | "failed" | "opened" | "reopened";
      readonly reason: string;
    }
  | {
      readonly type: "stuck";
      readonly signal: StuckSignal;
      readonly reason: string;
      /** null: it backtracked, with `template`. */
      readonly suppressed: Suppression | null;
      readonly template: RecoveryTemplate;
    };

interface ActiveSubTask {
  readonly id: string;
  readonly title: string;
  readonly phase: Phase;
  readonly keywords: readonly string[];
  readonly files: readonly string[];
  /** Its place among the plan items, from 1; null for a recovery item. */
  readonly position: number | null;
}

/**
 * What the planner tells the other rooms after each call (arXiv:2608.06811, III-B: current phase,
 * active sub-task, progress counts, most-touched files, token budget, backtrack flag).
 */
export interface ExportedSignal {
  readonly step: number;
  readonly phase: Phase;
  /** The row of the retrieval policy: `backtrack` until the next phase decision. */
  readonly policyPhase: PolicyPhase;
  readonly activeSubTask: ActiveSubTask | null;
  /** The newest failed item, while its recovery is open. */
  readonly failedSubTask: {
    readonly id: string;
    readonly title: string;
    readonly keywords: readonly string[];
    readonly reason: string;
  } | null;
  /** Plan items done, skipped ones included. */
  readonly done: number;
  readonly total: number;
  /** Open recovery items. */
  readonly recovery: number;
  readonly backtracks: number;
  /** This very call backtracked. */
  readonly backtrack: boolean;
  readonly mostTouched: readonly string[];
  /** Retrieval budget of the policy phase, in tokens. */
  readonly tokenBudget: number;
  readonly verdict: Verdict;
}
