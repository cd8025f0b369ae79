import type { StuckConfig } from "../../domain/config/planner.ts";
import type { MemoryStats, StuckSignal } from "../../domain/plan.ts";

/** A name and how often, the largest of a record of counts; ties go to the smaller name. */
interface Peak {
  readonly name: string;
  readonly n: number;
}

/** The counters that stuck detection reads, since the last backtrack. */
export interface Counters {
  readonly edits: Peak | null;
  readonly failures: number;
  readonly actions: Peak | null;
  readonly reads: number;
  /** Files edited `heavyEdits` times or more, or corrupt, worst first. */
  readonly heavy: readonly string[];
}

export interface Stuck {
  readonly signal: StuckSignal;
  readonly reason: string;
}

/** Files that one recovery names (our choice: more would not fit a line). */
const heavyLimit = 3;

/**
 * The counters from memory's statistics. Without them (memory is off, or the coupling is) only the
 * planner's own count of failed commands is left.
 */
export function countersOf(
  stats: MemoryStats | null,
  failures: number,
  rules: StuckConfig,
): Counters {
  if (stats === null) return { edits: null, failures, actions: null, reads: 0, heavy: [] };
  return {
    edits: peakOf(stats.editsSinceReset),
    failures: stats.consecutiveFailures,
    actions: peakOf(stats.actionCount),
    reads: rules.readsSince === "check" ? stats.readsSinceCheck : stats.readsSinceEdit,
    heavy: heavyOf(stats, rules.heavyEdits),
  };
}

function peakOf(counts: Readonly<Record<string, number>>): Peak | null {
  let peak: Peak | null = null;
  for (const [name, n] of Object.entries(counts)) {
    if (peak === null || n > peak.n || (n === peak.n && name < peak.name)) peak = { name, n };
  }
  return peak;
}

function heavyOf({ editsSinceReset, corrupt }: MemoryStats, heavyEdits: number): readonly string[] {
  const heavy = Object.entries(editsSinceReset)
    .filter(([, n]) => n >= heavyEdits)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([file]) => file);
  return [...new Set([...heavy, ...corrupt])].slice(0, heavyLimit);
}

/** What would have ended the count of reads. */
const ends = { check: "a passing test", edit: "an edit" } as const;

/**
 * Whether any counter stands at its threshold ("past a threshold" is read as reached, our choice).
 * Several at once: the one that most endangers the tree speaks first (our choice of order).
 */
export function stuckBy(
  { edits, failures, actions, reads }: Counters,
  rules: StuckConfig,
): Stuck | null {
  if (edits && edits.n >= rules.repeatedEdits) {
    return { signal: "repeatedEdits", reason: `${edits.name} was edited ${edits.n} times` };
  }
  if (failures >= rules.failedReturns) {
    return { signal: "failedReturns", reason: `${failures} commands in a row failed` };
  }
  if (actions && actions.n >= rules.repeatedAction) {
    return { signal: "repeatedAction", reason: `the same command was run ${actions.n} times` };
  }
  if (reads >= rules.readSaturation) {
    return { signal: "readSaturation", reason: `${reads} reads without ${ends[rules.readsSince]}` };
  }
  return null;
}
