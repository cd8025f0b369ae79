import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mcnemar } from "../../../src/eval/statistics/mcnemar.ts";

describe("mcnemar", () => {
  it.each([
    { won: 50, lost: 30, exact: 0.032993, chi: 4.5125, corrected: 0.033648 },
    { won: 10, lost: 2, exact: 0.038574, chi: 4.083333, corrected: 0.043308 },
    { won: 63, lost: 32, exact: 0.001924, chi: 9.473684, corrected: 0.002084 },
  ])("$won won and $lost lost: p = $exact", ({ won, lost, exact, chi, corrected }) => {
    const test = mcnemar(won, lost);
    expect(test.exact).toBeCloseTo(exact, 6);
    expect(test.corrected.statistic).toBeCloseTo(chi, 6);
    expect(test.corrected.p).toBeCloseTo(corrected, 6);
  });

  it("has the uncorrected χ² too", () => {
    expect(mcnemar(54, 34).uncorrected.statistic).toBeCloseTo(4.545455, 6);
    expect(mcnemar(54, 34).uncorrected.p).toBeCloseTo(0.033006, 6);
  });

  it("finds nothing where nothing differs", () => {
    expect(mcnemar(0, 0)).toEqual({
      won: 0,
      lost: 0,
      exact: 1,
      corrected: { statistic: 0, p: expect.closeTo(1, 12) },
      uncorrected: { statistic: 0, p: expect.closeTo(1, 12) },
    });
    expect(mcnemar(7, 7).exact).toBe(1);
  });

  it("tells which counts can stand behind +20 with p = .033 of 500", () => {
    const candidates = Array.from({ length: 241 }, (_, lost) => mcnemar(lost + 20, lost));
    const rounded = (p: number) => Math.round(p * 1000) === 33;
    const counts = (found: typeof candidates) => found.map(({ won, lost }) => [won, lost]);
    expect(counts(candidates.filter(({ exact }) => rounded(exact)))).toEqual([[50, 30]]);
    expect(counts(candidates.filter(({ uncorrected }) => rounded(uncorrected.p)))).toEqual([
      [54, 34],
    ]);
    expect(counts(candidates.filter(({ corrected }) => rounded(corrected.p)))).toEqual([]);
  });

  it.each([-1, 0.5, Number.NaN])("refuses %s as a count", (count) => {
    expect(() => mcnemar(count, 3)).toThrow(/counts of pairs, whole numbers from 0, not/);
    expect(() => mcnemar(3, count)).toThrow(/counts of pairs, whole numbers from 0, not/);
  });

  it("is symmetric, and its p lies between 0 and 1 for any number of pairs", () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(2000), (won, lost) => {
        const [one, other] = [mcnemar(won, lost), mcnemar(lost, won)];
        expect(other).toEqual({ ...one, won: lost, lost: won });
        for (const p of [one.exact, one.corrected.p, one.uncorrected.p]) {
          expect(p).toBeGreaterThanOrEqual(0);
          expect(p).toBeLessThanOrEqual(1);
        }
        expect(one.corrected.p).toBeGreaterThanOrEqual(one.uncorrected.p);
      }),
    );
  });
});
