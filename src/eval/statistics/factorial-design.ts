import type { Weights } from "./contrast.ts";
import { type Factorial, factorial, signOf } from "./factorial.ts";
import { sum } from "./moments.ts";
import { type Measure, type Outcome, runValues, seedsOf } from "./outcome.ts";

/** Which arm stands for which combination of switches: each combination has one arm. */
export interface FactorialDesign {
  readonly factors: readonly string[];
  /** The switches that are on, by arm: `{ baseline: [], full: ["plan", "memory"], … }`. */
  readonly arms: Readonly<Record<string, readonly string[]>>;
}

/** The paper's four arms (arXiv:2608.06811, Table VIII). */
export const planAndMemory: FactorialDesign = {
  factors: ["plan", "memory"],
  arms: {
    baseline: [],
    "plan-only": ["plan"],
    "memory-only": ["memory"],
    full: ["plan", "memory"],
  },
};

export interface TableFactorial extends Factorial {
  /** Instances that the totals are over: those with a value in every run of every arm. */
  readonly instances: readonly string[];
  /** Those that lack one. */
  readonly leftOut: readonly string[];
}

/**
 * The factorial of an outcome table: a run's total is the sum of a measure over its instances.
 * null: no instance has a value in every run. Throws PmcoderError `usage` as `factorial` does,
 * arms with different numbers of seeds included.
 */
export function factorialOf<Row extends Outcome>(
  rows: readonly Row[],
  design: FactorialDesign,
  measure: Measure<Row>,
): TableFactorial | null {
  const runs = Object.entries(design.arms).flatMap(([arm, on]) =>
    seedsOf(rows, arm).map((seed) => ({
      arm,
      on,
      values: runValues(rows, { arm, seed }, measure),
    })),
  );
  const all = [...new Set(runs.flatMap(({ values }) => [...values.keys()]))].sort();
  const isWhole = (instance: string) => runs.every(({ values }) => values.has(instance));
  const instances = all.filter(isWhole);
  const cells = Object.entries(design.arms).map(([arm, on]) => ({
    on,
    totals: runs
      .filter((run) => run.arm === arm)
      .map(({ values }) => sum(instances.map((instance) => values.get(instance) ?? 0))),
  }));
  const leftOut = all.filter((instance) => !isWhole(instance));
  if (instances.length === 0) return null;
  return { ...factorial(design.factors, cells), instances, leftOut };
}

/**
 * The same contrast as weights of arms: `contrast` bootstraps it by instance, so that instances
 * vary too.
 */
export function effectWeights(design: FactorialDesign, factors: readonly string[]): Weights {
  const signs = Object.entries(design.arms).map(([arm, on]) => [arm, signOf(factors, on)] as const);
  return Object.fromEntries(signs);
}
