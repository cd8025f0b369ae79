/** Levenshtein distance: insertions, deletions and replacements of one UTF-16 unit, each 1. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? a.length;
}

export interface NearestOptions {
  readonly count: number;
  /** Candidates further away than this are no suggestion. */
  readonly within: number;
  readonly distance?: (word: string, candidate: string) => number;
}

/** The candidates closest to a mistyped word, nearest first; ties keep the given order. */
export function nearest(
  word: string,
  candidates: readonly string[],
  { count, within, distance = editDistance }: NearestOptions,
): readonly string[] {
  return candidates
    .map((candidate) => ({ candidate, far: distance(word, candidate) }))
    .filter(({ far }) => far <= within)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}
