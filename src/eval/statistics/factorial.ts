import { PmcoderError } from "../../domain/errors.ts";
import type { Interval } from "./bootstrap.ts";
import { squaresAround, sum } from "./moments.ts";
import { fTail, tQuantile } from "./tails.ts";

/** The runs of one combination of factors. */
export interface FactorialCell {
  /** The factors that are on; the others are off. */
  readonly on: readonly string[];
  /** One number a run, such as the instances that it resolved. */
  readonly totals: readonly number[];
}

interface FactorialEffect {
  /** One factor: its main effect; several: their interaction. */
  readonly factors: readonly string[];
  /**
   * Signed sum of the cells' means: a cell counts +1 if an even number of `factors` is off in it,
   * else −1. Of two factors' interaction it is (both − one) − (other − neither).
   */
  readonly contrast: number;
  /** `contrast` / 2^(k−1): what switching a factor on adds, on average over the other factors. */
  readonly effect: number;
  /** 95 % of `contrast`, by Student's t on the error's degrees of freedom. */
  readonly interval: Interval | null;
  readonly sumOfSquares: number;
  /** F of 1 and `error.df` degrees of freedom; null where nothing varies, or each cell has one run. */
  readonly f: number | null;
  readonly p: number | null;
}

/** Analysis of variance of a balanced 2^k design. */
export interface Factorial {
  readonly cells: readonly (FactorialCell & { readonly mean: number })[];
  /** All 2^k − 1: main effects first, interactions by their number of factors. */
  readonly effects: readonly FactorialEffect[];
  /** Within the cells, between runs. */
  readonly error: {
    readonly sumOfSquares: number;
    readonly df: number;
    readonly meanSquare: number | null;
  };
}

/**
 * The 2×2 of arXiv:2608.06811, Table VIII, and the same for any number of switches: instances are
 * fixed, runs are what varies. The paper does not print the runs of two of its cells. Their sums
 * are forced by its effects (446 and 452), their variation by its F (23.33); six pairs of whole
 * numbers fit, so no test can hold more than those sums. Throws PmcoderError `usage` unless each
 * combination stands there once and all have the same number of runs.
 */
export function factorial(factors: readonly string[], cells: readonly FactorialCell[]): Factorial {
  const runs = check(factors, cells);
  const means = cells.map((cell) => ({ ...cell, mean: sum(cell.totals) / runs }));
  const sumOfSquares = sum(cells.map(({ totals }) => squaresAround(totals)));
  const df = cells.length * (runs - 1);
  const error = { sumOfSquares, df, meanSquare: df > 0 ? sumOfSquares / df : null };
  const effects = subsetsOf(factors).map((subset) => effectOf(subset, means, { ...error, runs }));
  return { cells: means, effects, error };
}

/** +1 or −1: how a combination counts in the contrast of some factors. */
export function signOf(factors: readonly string[], on: readonly string[]): number {
  return factors.filter((factor) => !on.includes(factor)).length % 2 === 0 ? 1 : -1;
}

interface Within {
  readonly meanSquare: number | null;
  readonly df: number;
  readonly runs: number;
}

function effectOf(
  factors: readonly string[],
  cells: Factorial["cells"],
  { meanSquare, df, runs }: Within,
): FactorialEffect {
  const contrast = sum(cells.map(({ on, mean }) => signOf(factors, on) * mean));
  const sumOfSquares = (runs * contrast ** 2) / cells.length;
  const f = meanSquare === null || meanSquare === 0 ? null : sumOfSquares / meanSquare;
  const half =
    meanSquare === null
      ? null
      : tQuantile(0.975, df) * Math.sqrt((meanSquare * cells.length) / runs);
  return {
    factors,
    contrast,
    effect: (2 * contrast) / cells.length,
    interval: half === null ? null : [contrast - half, contrast + half],
    sumOfSquares,
    f,
    p: f === null ? null : fTail(f, 1, df),
  };
}

/** All non-empty subsets, the smaller first, each in the order given. */
function subsetsOf(factors: readonly string[]): readonly (readonly string[])[] {
  const masks = Array.from({ length: 2 ** factors.length - 1 }, (_, at) => at + 1);
  return masks
    .map((mask) => factors.filter((_, bit) => (mask >> bit) % 2 === 1))
    .sort((one, other) => one.length - other.length);
}

/** Runs of a cell. */
function check(factors: readonly string[], cells: readonly FactorialCell[]): number {
  const names = new Set(factors);
  const keys = cells.map(({ on }) => factors.filter((factor) => on.includes(factor)).join("+"));
  const unknown = cells.flatMap(({ on }) => on).find((factor) => !names.has(factor));
  if (unknown !== undefined) throw misshaped(factors, `one names "${unknown}"`);
  if (names.size !== factors.length || names.size === 0) {
    throw misshaped(factors, "the factors are none, or one stands there twice");
  }
  if (new Set(keys).size !== cells.length || cells.length !== 2 ** factors.length) {
    throw misshaped(
      factors,
      `these were given: ${keys.map((key) => key || "(none on)").join(", ")}`,
    );
  }
  const counts = new Set(cells.map(({ totals }) => totals.length));
  const [runs = 0] = counts;
  if (counts.size > 1 || runs === 0) {
    throw misshaped(factors, `they have ${[...counts].join(" and ")} runs`);
  }
  if (!cells.every(({ totals }) => totals.every(Number.isFinite))) {
    throw misshaped(factors, "a total is no finite number");
  }
  return runs;
}

function misshaped(factors: readonly string[], found: string): PmcoderError {
  return new PmcoderError(
    "usage",
    `A factorial of ${factors.join(", ") || "no factors"} takes each of its combinations once, with equally many runs, one at least; but ${found}.`,
  );
}
