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

/** P(X = 0) to P(X = n) of n trials that succeed with probability p; as logarithms: pⁿ underflows. */
export function binomialPoints(n: number, p: number): Float64Array {
  if (p > 0.5) return binomialPoints(n, 1 - p).reverse();
  const logOdds = Math.log(p) - Math.log1p(-p);
  const points = new Float64Array(n + 1);
  let logPoint = n * Math.log1p(-p);
  for (let count = 0; count <= n; count++) {
    points[count] = Math.exp(logPoint);
    logPoint += Math.log((n - count) / (count + 1)) + logOdds;
  }
  return points;
}

/** P(X ≤ k) of such trials. */
export function binomialCdf(k: number, n: number, p: number): number {
  const points = binomialPoints(n, p).subarray(0, Math.max(0, k + 1));
  return Math.min(
    1,
    points.reduce((total, point) => total + point, 0),
  );
}
