import {
  clusterBootstrap,
  type Difference,
  type PairedBootstrap,
  pairedBootstrap,
} from "./bootstrap.ts";
import { meanOfValues, sum } from "./moments.ts";
import { compareNames, instanceMeans, type Measure, type Outcome, type Pair } from "./outcome.ts";
import { type BootstrapOptions, bootstrapDefaults } from "./resample.ts";

/**
 * How much each arm counts: `{ full: 1, baseline: -1 }` is a difference, and
 * `{ full: 1, "plan-only": -1, "memory-only": -1, baseline: 1 }` the interaction of two parts.
 */
export type Weights = Readonly<Record<string, number>>;

/**
 * The weighted sum of arms' means, instance by instance over their runs, bootstrapped by instance.
 * Only instances with a value in each arm count; null: there is none.
 */
export function contrast<Row extends Outcome>(
  rows: readonly Row[],
  weights: Weights,
  measure: Measure<Row>,
  options: BootstrapOptions = bootstrapDefaults,
): Difference | null {
  const arms = Object.keys(weights);
  const { means } = sharedMeans(rows, arms, measure);
  const values = means.map((mean) =>
    sum(arms.map((arm, at) => (weights[arm] ?? 0) * (mean[at] ?? 0))),
  );
  return clusterBootstrap(values, options);
}

/** What a treatment changes of one measure, instance by instance. */
export interface Comparison extends PairedBootstrap {
  /** Means over the instances that both arms have. */
  readonly baseline: number;
  readonly treatment: number;
  /** Instances with a value in one of the arms only. */
  readonly unpaired: readonly string[];
}

/** null: no instance has a value in both arms. */
export function compare<Row extends Outcome>(
  rows: readonly Row[],
  { baseline, treatment }: Pair,
  measure: Measure<Row>,
  options: BootstrapOptions = bootstrapDefaults,
): Comparison | null {
  const { means, unpaired } = sharedMeans(rows, [baseline, treatment], measure);
  const before = means.map(([value = 0]) => value);
  const after = means.map(([, value = 0]) => value);
  const found = pairedBootstrap(before, after, options);
  return (
    found && {
      baseline: meanOfValues(before),
      treatment: meanOfValues(after),
      ...found,
      unpaired,
    }
  );
}

interface SharedMeans {
  /** For each instance that every arm has: its mean in each of them. */
  readonly means: readonly (readonly number[])[];
  readonly unpaired: readonly string[];
}

function sharedMeans<Row extends Outcome>(
  rows: readonly Row[],
  arms: readonly string[],
  measure: Measure<Row>,
): SharedMeans {
  const byArm = arms.map((arm) => instanceMeans(rows, arm, measure));
  const all = [...new Set(byArm.flatMap((means) => [...means.keys()]))].sort(compareNames);
  const isShared = (instance: string) => byArm.every((means) => means.has(instance));
  return {
    means: all.filter(isShared).map((name) => byArm.map((means) => means.get(name) ?? 0)),
    unpaired: all.filter((instance) => !isShared(instance)),
  };
}
