import { PmcoderError } from "../../domain/errors.ts";
import { bootstrapMean, type Estimate } from "./bootstrap.ts";
import { type Outcome, rowsOfArm } from "./outcome.ts";
import { type BootstrapOptions, bootstrapDefaults } from "./resample.ts";

/**
 * The chance that one of `k` runs, drawn from `n` of which `c` succeeded, is a success:
 * 1 − C(n−c, k) / C(n, k), unbiased (Chen et al., arXiv:2107.03374), as a product that never
 * overflows. Throws PmcoderError `usage` unless 0 ≤ c ≤ n and 1 ≤ k ≤ n.
 */
export function passAtK({ n, c }: { readonly n: number; readonly c: number }, k: number): number {
  const isWhole = [n, c, k].every(Number.isInteger);
  if (!isWhole || c < 0 || c > n || k < 1 || k > n) {
    throw new PmcoderError(
      "usage",
      `pass@k takes 1 ≤ k ≤ n runs of which 0 ≤ c ≤ n succeeded, not k = ${k}, n = ${n}, c = ${c}.`,
    );
  }
  let allFail = 1;
  for (let drawn = 0; drawn < k; drawn++) allFail *= Math.max(0, n - c - drawn) / (n - drawn);
  return 1 - allFail;
}

/** Mean pass@k over an arm's instances with at least `k` runs, bootstrapped by instance; null: none. */
export function passAtKOf(
  rows: readonly Outcome[],
  { arm, k }: { readonly arm: string; readonly k: number },
  options: BootstrapOptions = bootstrapDefaults,
): Estimate | null {
  const values = [...rowsOfArm(rows, arm).values()]
    .filter((runs) => runs.length >= k)
    .map((runs) => passAtK({ n: runs.length, c: runs.filter((run) => run.resolved).length }, k));
  return bootstrapMean(values, options);
}
