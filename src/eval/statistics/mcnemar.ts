import { PmcoderError } from "../../domain/errors.ts";
import { binomialCdf, chiSquareTail } from "./tails.ts";

interface ChiSquare {
  readonly statistic: number;
  readonly p: number;
}

/** McNemar's test, two-sided, of pairs that differ. */
export interface McNemar {
  /** Pairs that the treatment alone won. */
  readonly won: number;
  /** Pairs that the baseline alone won. */
  readonly lost: number;
  /** The one to report: binomial, sound for few pairs. */
  readonly exact: number;
  /** (|won − lost| − 1)² / (won + lost), Edwards' continuity correction. */
  readonly corrected: ChiSquare;
  /** (won − lost)² / (won + lost), as McNemar had it. */
  readonly uncorrected: ChiSquare;
}

/**
 * All three variants, because arXiv:2608.06811 does not name its own. Its run 2, +20 at p = .033,
 * excludes the corrected one: no whole numbers give .033 there. Exactly it can only be 50 won and 30
 * lost (.032993), uncorrected only 54 and 34 (.033006); the paper prints neither, so its table
 * cannot be computed again, only matched. Throws PmcoderError `usage` for what is no count.
 */
export function mcnemar(won: number, lost: number): McNemar {
  for (const count of [won, lost]) {
    if (Number.isInteger(count) && count >= 0) continue;
    throw new PmcoderError(
      "usage",
      `McNemar's test takes counts of pairs, whole numbers from 0, not ${count}.`,
    );
  }
  const gap = Math.abs(won - lost);
  const chiSquare = (distance: number): ChiSquare => {
    const statistic = won + lost === 0 ? 0 : distance ** 2 / (won + lost);
    return { statistic, p: chiSquareTail(statistic) };
  };
  return {
    won,
    lost,
    exact: exactP(won, lost),
    corrected: chiSquare(Math.max(0, gap - 1)),
    uncorrected: chiSquare(gap),
  };
}

/** 2·P(X ≤ min(won, lost)) for X binomial with p = ½. */
function exactP(won: number, lost: number): number {
  return Math.min(1, 2 * binomialCdf(Math.min(won, lost), won + lost, 0.5));
}
