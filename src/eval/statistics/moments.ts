export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** NaN without a value. */
export function meanOfValues(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Σ(x − mean)². */
export function squaresAround(values: readonly number[]): number {
  const mean = meanOfValues(values);
  return sum(values.map((value) => (value - mean) ** 2));
}

/** Σ(x − mean)² / (n − 1); null with fewer than two values. */
export function sampleVariance(values: readonly number[]): number | null {
  return values.length < 2 ? null : squaresAround(values) / (values.length - 1);
}
