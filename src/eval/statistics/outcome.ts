import { PmcoderError } from "../../domain/errors.ts";
import { meanOfValues } from "./moments.ts";

/** One graded episode, a row of the outcome table. A row may hold more: measures read it. */
export interface Outcome {
  readonly instance: string;
  readonly arm: string;
  readonly seed: number;
  /**
   * An episode that ended in an error, without a patch, or with one that does not apply is not
   * resolved: the denominator is always the full set (arXiv:2608.06811).
   */
  readonly resolved: boolean;
}

/** A number of a row; null: the row has none. What is true or false counts as 1 or 0. */
export type Measure<Row extends Outcome> = (row: Row) => number | null;

export const resolvedMeasure: Measure<Outcome> = ({ resolved }) => Number(resolved);

/** Two arms of which the second is judged against the first. */
export interface Pair {
  readonly baseline: string;
  readonly treatment: string;
}

/** The rows of each instance in ascending order of their seeds, instances in order of their names. */
export type InstanceRows<Row> = ReadonlyMap<string, readonly Row[]>;

/**
 * The rows of one arm by instance. Row order does not matter, so no result depends on it. Throws
 * PmcoderError `usage` when an episode stands there twice: it would count double.
 */
export function rowsOfArm<Row extends Outcome>(
  rows: readonly Row[],
  arm: string,
): InstanceRows<Row> {
  const ordered = rows
    .filter((row) => row.arm === arm)
    .sort((one, other) => compareNames(one.instance, other.instance) || one.seed - other.seed);
  const byInstance = new Map<string, Row[]>();
  for (const row of ordered) {
    const runs = byInstance.get(row.instance) ?? [];
    if (runs.at(-1)?.seed === row.seed) throw twice(row);
    runs.push(row);
    byInstance.set(row.instance, runs);
  }
  return byInstance;
}

/**
 * Mean of a measure over an arm's runs, by instance in order of their names. An instance is one
 * case however many runs it has; one without a value is left out.
 */
export function instanceMeans<Row extends Outcome>(
  rows: readonly Row[],
  arm: string,
  measure: Measure<Row>,
): ReadonlyMap<string, number> {
  const means = new Map<string, number>();
  for (const [instance, runs] of rowsOfArm(rows, arm)) {
    const values = runs.flatMap((run) => measure(run) ?? []);
    if (values.length > 0) means.set(instance, meanOfValues(values));
  }
  return means;
}

/** A measure of one run, by instance in order of their names; one without a value is left out. */
export function runValues<Row extends Outcome>(
  rows: readonly Row[],
  { arm, seed }: { readonly arm: string; readonly seed: number },
  measure: Measure<Row>,
): ReadonlyMap<string, number> {
  return instanceMeans(
    rows.filter((row) => row.seed === seed),
    arm,
    measure,
  );
}

/** Arms in the order in which the table first names them. */
export function armsOf(rows: readonly Outcome[]): readonly string[] {
  return [...new Set(rows.map(({ arm }) => arm))];
}

/** Seeds of an arm, ascending. */
export function seedsOf(rows: readonly Outcome[], arm: string): readonly number[] {
  const seeds = rows.filter((row) => row.arm === arm).map(({ seed }) => seed);
  return [...new Set(seeds)].sort((one, other) => one - other);
}

/** By code units: the same order on every machine, whatever its locale. */
export function compareNames(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function twice({ instance, arm, seed }: Outcome): PmcoderError {
  return new PmcoderError(
    "usage",
    `Each episode should stand in the outcome table once, but ${instance}, arm ${arm}, seed ${seed} stands there twice: remove one of the two.`,
  );
}
