import fc from "fast-check";
import type { Outcome } from "../../../src/eval/statistics/outcome.ts";

const nameOf = (at: number): string => `i${String(at + 1).padStart(3, "0")}`;

/** One text an instance, one digit a run: `["111", "010"]` is two instances with three seeds. */
export function patternRows(arm: string, patterns: readonly string[]): readonly Outcome[] {
  return patterns.flatMap((pattern, at) =>
    [...pattern].map((digit, run) => ({
      instance: nameOf(at),
      arm,
      seed: run + 1,
      resolved: digit === "1",
    })),
  );
}

/** Runs that resolve so many of `n` instances each, the first ones. */
export function totalRows(arm: string, totals: readonly number[], n: number): readonly Outcome[] {
  return totals.flatMap((total, run) =>
    Array.from({ length: n }, (_, at) => ({
      instance: nameOf(at),
      arm,
      seed: run + 1,
      resolved: at < total,
    })),
  );
}

/** One run of each arm in which the first `won` instances flip for the better, the next for worse. */
export function flippedRows(won: number, lost: number, n: number): readonly Outcome[] {
  const before = Array.from({ length: n }, (_, at) => (at >= won && at < won + lost ? "1" : "0"));
  const after = Array.from({ length: n }, (_, at) => (at < won ? "1" : "0"));
  return [...patternRows("baseline", before), ...patternRows("full", after)];
}

/** Some instances, two arms, up to three runs each, all complete. */
export const pairedRows = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 3 }))
  .chain(([n, runs]) => {
    const patterns = fc.array(fc.stringMatching(new RegExp(`^[01]{${runs}}$`)), {
      minLength: n,
      maxLength: n,
    });
    return fc.tuple(patterns, patterns);
  })
  .map(([before, after]) => [...patternRows("baseline", before), ...patternRows("full", after)]);

export const pair = { baseline: "baseline", treatment: "full" };
