/** What one attempt replaced, and whether that and the attempt itself did what was wanted. */
export interface Attempt {
  /** The attempt before it; empty: it was the first. */
  readonly before: string;
  /** null: there was none before, or nobody judged it. */
  readonly beforeWorked: boolean | null;
  readonly worked: boolean;
}

/** A demonstration: from what stood before `from` to what worked in `to`. */
export interface Pair<One extends Attempt> {
  readonly from: One;
  readonly to: One;
}

/**
 * Demonstrations of a log (ExpeRepair, arXiv:2506.10484): each attempt that is the first, or that
 * replaces one that did not work, is paired with the first attempt from it on that worked.
 */
export function pairAttempts<One extends Attempt>(log: readonly One[]): readonly Pair<One>[] {
  return log.flatMap((from, at) => {
    const isOpen = from.before === "" || from.beforeWorked === false;
    const to = isOpen ? log.slice(at).find(({ worked }) => worked) : undefined;
    return to === undefined ? [] : [{ from, to }];
  });
}

/** Those that show a correction: patches are demonstrated by what was wrong before them. */
export function corrections<One extends Attempt>(log: readonly One[]): readonly Pair<One>[] {
  return pairAttempts(log).filter(({ from }) => from.before !== "");
}
