import { meanOfValues, sampleVariance } from "./moments.ts";
import { type Measure, type Outcome, type Pair, rowsOfArm } from "./outcome.ts";
import type { VarianceComponents } from "./power.ts";

/**
 * What a finished experiment says of the next one. For each instance of both arms: d, the
 * difference of its means, and v, the variance that d has from its runs, s² / S of each arm added.
 * `within` is the mean of both arms' s², `between` the variance of d less the mean of v, at least
 * 0. null with fewer than two instances that have two runs in each arm: one run cannot tell the two
 * apart.
 */
export function varianceComponents<Row extends Outcome>(
  rows: readonly Row[],
  { baseline, treatment }: Pair,
  measure: Measure<Row>,
): VarianceComponents | null {
  const before = repeated(rows, baseline, measure);
  const after = repeated(rows, treatment, measure);
  const both = [...before].flatMap(([instance, one]) => {
    const other = after.get(instance);
    return other ? [{ one, other }] : [];
  });
  const differences = both.map(({ one, other }) => other.mean - one.mean);
  const total = sampleVariance(differences);
  if (total === null) return null;
  const noise = both.map(({ one, other }) => one.variance / one.runs + other.variance / other.runs);
  return {
    between: Math.max(0, total - meanOfValues(noise)),
    within: meanOfValues(both.map(({ one, other }) => one.variance + other.variance)),
  };
}

interface Repeated {
  readonly mean: number;
  readonly variance: number;
  readonly runs: number;
}

/** Instances with two values or more. */
function repeated<Row extends Outcome>(
  rows: readonly Row[],
  arm: string,
  measure: Measure<Row>,
): ReadonlyMap<string, Repeated> {
  const found = [...rowsOfArm(rows, arm)].flatMap(([instance, runs]) => {
    const values = runs.flatMap((run) => measure(run) ?? []);
    const variance = sampleVariance(values);
    const mean = meanOfValues(values);
    return variance === null ? [] : [[instance, { mean, variance, runs: values.length }] as const];
  });
  return new Map(found);
}
