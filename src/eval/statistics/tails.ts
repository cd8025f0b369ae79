import jStat from "jstat";

/** P(F > f) with `df1` and `df2` degrees of freedom; good for very small values too. */
export function fTail(f: number, df1: number, df2: number): number {
  return jStat.ibeta(df2 / (df2 + df1 * f), df2 / 2, df1 / 2);
}

/** P(χ² > x) with one degree of freedom. */
export function chiSquareTail(x: number): number {
  return jStat.erfc(Math.sqrt(x / 2));
}

/** The quantile of Student's t. */
export function tQuantile(p: number, df: number): number {
  return jStat.studentt.inv(p, df);
}

export function normalQuantile(p: number): number {
  return jStat.normal.inv(p, 0, 1);
}

/** P(Z ≤ z) of the standard normal distribution. */
export function normalCdf(z: number): number {
  return jStat.normal.cdf(z, 0, 1);
}
