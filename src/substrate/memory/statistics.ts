import type { MemoryStats, Verdict } from "../../domain/plan.ts";

/** What the statistics need to know of one executed call. */
export interface CountedCall {
  /** The assistant turn, from 1. */
  readonly turn: number;
  /** The normalised command; null when nothing of it counts. */
  readonly action: string | null;
  readonly exitCode: number | null;
  /** Files that count as touched: read, changed or reverted. */
  readonly touched: readonly string[];
  readonly edited: readonly string[];
  /** Files that were reverted; empty with `isRevert` means all. */
  readonly reverted: readonly string[];
  readonly isRevert: boolean;
  /** It edited a source file, or something that the text does not tell. */
  readonly isSourceEdit: boolean;
  /** It inspected, and did nothing else that would count. */
  readonly isRead: boolean;
  /** It inspected, reviewed or looked into history, and changed or ran nothing. */
  readonly isLook: boolean;
  readonly isSubmit: boolean;
  /** Exit code 1 of its last part means "no match", as for grep or diff. */
  readonly isSearch: boolean;
}

type Counts = Readonly<Record<string, number>>;

export const emptyStats: MemoryStats = {
  step: 0,
  editCount: {},
  editsSinceReset: {},
  editsSincePass: {},
  readsSinceEdit: 0,
  readsSinceCheck: 0,
  consecutiveFailures: 0,
  actionCount: {},
  topTouched: [],
  corrupt: [],
  sourceEdits: 0,
};

/** The statistics after one more call. */
export function count(stats: MemoryStats, call: CountedCall): MemoryStats {
  const { action, isSourceEdit } = call;
  const counted = action === null || call.isSubmit ? [] : [action];
  return {
    step: call.turn,
    editCount: increment(stats.editCount, call.edited),
    editsSinceReset: increment(reverted(stats.editsSinceReset, call), call.edited),
    editsSincePass: increment(stats.editsSincePass, call.edited),
    readsSinceEdit: isSourceEdit ? 0 : stats.readsSinceEdit + (call.isRead ? 1 : 0),
    readsSinceCheck: stats.readsSinceCheck + (call.isLook ? 1 : 0),
    consecutiveFailures: failures(stats.consecutiveFailures, call),
    actionCount: increment(stats.actionCount, counted),
    topTouched: touch(stats.topTouched, call.touched),
    corrupt: stats.corrupt,
    sourceEdits: stats.sourceEdits + (isSourceEdit ? 1 : 0),
  };
}

/** What a backtrack starts anew. */
export function afterBacktrack(stats: MemoryStats): MemoryStats {
  return {
    ...stats,
    editsSinceReset: {},
    readsSinceEdit: 0,
    readsSinceCheck: 0,
    consecutiveFailures: 0,
    actionCount: {},
  };
}

/**
 * What a check starts anew: a passing verdict, or a successful verification no verdict denies. Only
 * a verdict or a test run ends the count of reads: the agent's own probes pass too easily.
 */
export function afterCheck(
  stats: MemoryStats,
  check: { readonly verdict: Verdict; readonly isVerified: boolean; readonly isTest: boolean },
): MemoryStats {
  const { verdict, isVerified, isTest } = check;
  if (verdict !== "pass" && !(isVerified && verdict !== "fail")) return stats;
  const isFirm = verdict === "pass" || isTest;
  const readsSinceCheck = isFirm ? 0 : stats.readsSinceCheck;
  return { ...stats, editsSincePass: {}, readsSinceCheck };
}

/** The files that the newest integrity check looked at, and those it could not parse. */
export function afterIntegrity(
  stats: MemoryStats,
  {
    checked,
    corrupt,
  }: { readonly checked: readonly string[]; readonly corrupt: readonly string[] },
): MemoryStats {
  const others = stats.corrupt.filter((file) => !checked.includes(file) && !corrupt.includes(file));
  return { ...stats, corrupt: [...others, ...corrupt] };
}

/** A count by name, 0 when there is none. */
function countOf(counts: Counts, name: string): number {
  return Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0;
}

function increment(counts: Counts, names: readonly string[]): Counts {
  const more = [...new Set(names)].map((name) => [name, countOf(counts, name) + 1] as const);
  return more.length === 0 ? counts : { ...counts, ...Object.fromEntries(more) };
}

function reverted(edits: Counts, { isRevert, reverted: files }: CountedCall): Counts {
  if (!isRevert) return edits;
  const kept = Object.entries(edits).filter(([file]) => files.length > 0 && !files.includes(file));
  return Object.fromEntries(kept);
}

function failures(before: number, { exitCode, isSearch }: CountedCall): number {
  if (exitCode === null || (exitCode === 1 && isSearch)) return before;
  return exitCode === 0 ? 0 : before + 1;
}

/** Each touched file moves up, to the front of those with its new count. */
function touch(
  ranking: MemoryStats["topTouched"],
  files: readonly string[],
): MemoryStats["topTouched"] {
  const touched = [...new Set(files)]
    .sort()
    .map((file) => ({ file, n: (ranking.find((entry) => entry.file === file)?.n ?? 0) + 1 }));
  const others = ranking.filter(({ file }) => !files.includes(file));
  return [...touched, ...others].sort((a, b) => b.n - a.n);
}
