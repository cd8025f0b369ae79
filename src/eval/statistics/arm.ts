import { type Share, shareOf } from "../replay-share.ts";
import { bootstrapMean, type Estimate } from "./bootstrap.ts";
import { meanOfValues, sampleVariance } from "./moments.ts";
import {
  instanceMeans,
  type Measure,
  type Outcome,
  resolvedMeasure,
  rowsOfArm,
  seedsOf,
} from "./outcome.ts";
import { type BootstrapOptions, bootstrapDefaults } from "./resample.ts";

export interface ArmSummary {
  readonly arm: string;
  /** Each run on its own, with Wilson's interval: that of one run over these instances. */
  readonly runs: readonly { readonly seed: number; readonly resolved: Share }[];
  /** Mean share of resolved runs over the instances; `summed` makes it a number of instances. */
  readonly resolved: Estimate | null;
  /** Sample standard deviation of the runs' shares; null with fewer than two runs. */
  readonly runDeviation: number | null;
}

export function summarizeArm(
  rows: readonly Outcome[],
  arm: string,
  options: BootstrapOptions = bootstrapDefaults,
): ArmSummary {
  const episodes = [...rowsOfArm(rows, arm).values()].flat();
  const runs = seedsOf(rows, arm).map((seed) => {
    const run = episodes.filter((row) => row.seed === seed);
    return { seed, resolved: shareOf(run.filter(({ resolved }) => resolved).length, run.length) };
  });
  const variance = sampleVariance(runs.map(({ resolved: { k, n } }) => k / n));
  return {
    arm,
    runs,
    resolved: meanOf(rows, arm, resolvedMeasure, options),
    runDeviation: variance === null ? null : Math.sqrt(variance),
  };
}

/**
 * Mean of a measure over an arm's instances, each the mean of its runs, bootstrapped by instance;
 * null: no row has a value.
 */
export function meanOf<Row extends Outcome>(
  rows: readonly Row[],
  arm: string,
  measure: Measure<Row>,
  options: BootstrapOptions = bootstrapDefaults,
): Estimate | null {
  return bootstrapMean([...instanceMeans(rows, arm, measure).values()], options);
}

/** The same mean without its interval. */
export function plainMean<Row extends Outcome>(
  rows: readonly Row[],
  arm: string,
  measure: Measure<Row>,
): number | null {
  const means = instanceMeans(rows, arm, measure);
  return means.size === 0 ? null : meanOfValues([...means.values()]);
}
