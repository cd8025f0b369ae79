/** One measured figure, as printed. `ratio` is value against the peer of the same run. */
export interface Figure {
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  /** Measurements behind the value. */
  readonly n: number;
  readonly peer: { readonly name: string; readonly value: number } | null;
  readonly ratio: number | null;
  readonly goal: string;
  readonly met: boolean;
}

interface Skipped {
  readonly figure: string;
  readonly skipped: string;
}

export type Benchmark = () => Promise<readonly (Figure | Skipped)[]>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** A figure that is judged by its ratio to a peer measured in the same run. */
export function against(
  figure: string,
  unit: string,
  ours: readonly number[],
  peer: { readonly name: string; readonly values: readonly number[] },
  most: number,
): Figure {
  const value = median(ours);
  const peerValue = median(peer.values);
  const ratio = value / peerValue;
  return {
    figure,
    value,
    unit,
    n: ours.length,
    peer: { name: peer.name, value: peerValue },
    ratio,
    goal: `ratio <= ${most}`,
    met: ratio <= most,
  };
}
