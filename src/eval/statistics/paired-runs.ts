import { type McNemar, mcnemar } from "./mcnemar.ts";
import {
  compareNames,
  type Outcome,
  type Pair,
  resolvedMeasure,
  rowsOfArm,
  runValues,
  seedsOf,
} from "./outcome.ts";

/** One run of each arm, of the same seed, instance by instance. */
export interface PairedRun {
  readonly seed: number;
  /** Instances that both arms ran with this seed. */
  readonly n: number;
  readonly both: number;
  readonly neither: number;
  /** Instances that the treatment alone resolved. */
  readonly won: readonly string[];
  /** Instances that the baseline alone resolved. */
  readonly lost: readonly string[];
  readonly test: McNemar;
}

/**
 * McNemar's test and the two lists of flips for each seed that both arms have. Runs are never
 * pooled: three runs of an instance are not three independent pairs.
 */
export function pairedRuns(rows: readonly Outcome[], pair: Pair): readonly PairedRun[] {
  const { baseline, treatment } = pair;
  const seeds = seedsOf(rows, treatment);
  return seedsOf(rows, baseline)
    .filter((seed) => seeds.includes(seed))
    .map((seed) => {
      const before = runValues(rows, { arm: baseline, seed }, resolvedMeasure);
      return pairedRun(seed, before, runValues(rows, { arm: treatment, seed }, resolvedMeasure));
    });
}

function pairedRun(
  seed: number,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): PairedRun {
  const shared = [...before.keys()].filter((instance) => after.has(instance));
  const those = (baseline: 0 | 1, treatment: 0 | 1) =>
    shared.filter(
      (instance) => before.get(instance) === baseline && after.get(instance) === treatment,
    );
  const [won, lost] = [those(0, 1), those(1, 0)];
  return {
    seed,
    n: shared.length,
    both: those(1, 1).length,
    neither: those(0, 0).length,
    won,
    lost,
    test: mcnemar(won.length, lost.length),
  };
}

/** Of `n` runs of an instance, `k` resolved it. */
interface ResolvedRuns {
  readonly k: number;
  readonly n: number;
}

/** An instance of which the two arms resolve a different share of runs. */
interface Flip {
  readonly instance: string;
  readonly baseline: ResolvedRuns;
  readonly treatment: ResolvedRuns;
}

/** Instances won and lost over all runs, the clearest first, then by name. */
export interface Flips {
  readonly won: readonly Flip[];
  readonly lost: readonly Flip[];
}

export function flips(rows: readonly Outcome[], pair: Pair): Flips {
  const after = rowsOfArm(rows, pair.treatment);
  const all = [...rowsOfArm(rows, pair.baseline)].flatMap(([instance, runs]): readonly Flip[] => {
    const others = after.get(instance);
    return others ? [{ instance, baseline: tally(runs), treatment: tally(others) }] : [];
  });
  const clearest = all.toSorted(
    (one, other) =>
      Math.abs(gain(other)) - Math.abs(gain(one)) || compareNames(one.instance, other.instance),
  );
  return {
    won: clearest.filter((flip) => gain(flip) > 0),
    lost: clearest.filter((flip) => gain(flip) < 0),
  };
}

function tally(runs: readonly Outcome[]): ResolvedRuns {
  return { k: runs.filter(({ resolved }) => resolved).length, n: runs.length };
}

/** Change of the share of resolved runs, as one fraction: equal gains must be equal to the last bit. */
function gain({ baseline, treatment }: Flip): number {
  return (treatment.k * baseline.n - baseline.k * treatment.n) / (treatment.n * baseline.n);
}
