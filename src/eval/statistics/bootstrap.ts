import { sum } from "./moments.ts";
import {
  type BootstrapOptions,
  bootstrapDefaults,
  type Resampled,
  resampledSums,
} from "./resample.ts";

export type Interval = readonly [low: number, high: number];

/** A mean over instances. */
export interface Estimate {
  /** Instances: they are what was sampled, whatever the number of runs of each. */
  readonly n: number;
  readonly value: number;
  /** 95 %, percentiles of the resampled values. */
  readonly interval: Interval;
  /** Standard deviation of the resampled values. */
  readonly standardError: number;
}

export interface Difference extends Estimate {
  /**
   * min(1, 2·min(P(≤ 0), P(≥ 0))) over the resampled values. 0 says no more than: less than
   * 2 / `resamples`.
   */
  readonly p: number;
  readonly resamples: number;
  /** The resamples are all that there are, each once: interval and p are exact. */
  readonly exhaustive: boolean;
}

/**
 * Cluster bootstrap by instance: one value an instance, such as the difference of two arms' means
 * over their runs; instances are drawn with replacement. Where all nⁿ draws are no more than the
 * resamples asked for, all are taken and percentiles are those of the exact distribution; else they
 * are interpolated (type 7). null: there is no instance. Values that are equal up to rounding count
 * as ties. Throws PmcoderError `usage` for a value that is no finite number, and without resamples.
 *
 * The paper's interval (+25.0 instances, +14.3 to +35.7) cannot be computed from what it prints: that
 * takes each instance's outcomes. Its half width says that its standard error is 5.46 instances.
 */
export function clusterBootstrap(
  values: readonly number[],
  options: BootstrapOptions = bootstrapDefaults,
): Difference | null {
  const resampled = resampledSums([values], options);
  return differenceOf(values, resampled.sums[0] ?? new Float64Array(), resampled);
}

/** Cluster bootstrap of a mean that is compared with nothing: without p. */
export function bootstrapMean(
  values: readonly number[],
  options: BootstrapOptions = bootstrapDefaults,
): Estimate | null {
  const estimate = clusterBootstrap(values, options);
  if (estimate === null) return null;
  const { n, value, interval, standardError } = estimate;
  return { n, value, interval, standardError };
}

/** A difference of two means over the same instances, and their ratio, from the same draws. */
export interface PairedBootstrap {
  readonly difference: Difference;
  readonly ratio: Ratio;
}

/**
 * `value` null: the denominator is not positive; `interval` null: nor is that of some resample.
 */
interface Ratio {
  readonly value: number | null;
  readonly interval: Interval | null;
}

/**
 * `clusterBootstrap` of after − before, and after ÷ before. Both have a value for each instance, in
 * the same order.
 */
export function pairedBootstrap(
  before: readonly number[],
  after: readonly number[],
  options: BootstrapOptions = bootstrapDefaults,
): PairedBootstrap | null {
  const resampled = resampledSums([before, after], options);
  const [below = new Float64Array(), above = new Float64Array()] = resampled.sums;
  const values = before.map((value, at) => (after[at] ?? Number.NaN) - value);
  const differences = above.map((part, at) => part - (below[at] ?? 0));
  const difference = differenceOf(values, differences, resampled);
  if (difference === null) return null;
  const ratios = below.every((part) => part > 0)
    ? above.map((part, at) => part / (below[at] ?? 1))
    : null;
  const ratio = {
    value: sum(before) > 0 ? sum(after) / sum(before) : null,
    interval: ratios && interval(ratios, resampled.exhaustive),
  };
  return { difference, ratio };
}

/** The same estimate as a sum over its instances: "+25.0 instances" for a mean of +.05 over 500. */
export function summed<Kind extends Estimate>(estimate: Kind): Kind {
  const { n, value, standardError } = estimate;
  const [low, high] = estimate.interval;
  return {
    ...estimate,
    value: value * n,
    interval: [low * n, high * n],
    standardError: standardError * n,
  };
}

function differenceOf(
  values: readonly number[],
  sums: Float64Array,
  { exhaustive, rounding }: Resampled,
): Difference | null {
  const n = values.length;
  if (n === 0) return null;
  const [low, high] = interval(sums, exhaustive);
  return {
    n,
    value: sum(values) / n,
    interval: [low / n, high / n],
    standardError: standardDeviation(sums) / n,
    p: twoSided(sums, rounding),
    resamples: sums.length,
    exhaustive,
  };
}

function interval(resampled: Float64Array, exhaustive: boolean): Interval {
  const sorted = resampled.toSorted();
  const quantile = exhaustive ? inverseQuantile : interpolatedQuantile;
  return [quantile(sorted, 0.025), quantile(sorted, 0.975)];
}

/** The smallest value that at least a share `q` of them does not exceed. */
function inverseQuantile(sorted: Float64Array, q: number): number {
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

/** Type 7 of Hyndman and Fan (Am. Stat. 50, 1996). */
function interpolatedQuantile(sorted: Float64Array, q: number): number {
  const place = (sorted.length - 1) * q;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

function twoSided(sums: Float64Array, rounding: number): number {
  let atMost = 0;
  let atLeast = 0;
  for (const value of sums) {
    if (value <= rounding) atMost += 1;
    if (value >= -rounding) atLeast += 1;
  }
  return Math.min(1, (2 * Math.min(atMost, atLeast)) / sums.length);
}

function standardDeviation(values: Float64Array): number {
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
  return Math.sqrt(squares / values.length);
}
