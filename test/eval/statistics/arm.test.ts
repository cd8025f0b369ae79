import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meanOf, summarizeArm } from "../../../src/eval/statistics/arm.ts";
import { pairedRows, patternRows } from "./outcome-rows.ts";

describe("summarizeArm", () => {
  it("gives each run with Wilson's interval, and the mean over instances with the bootstrap's", () => {
    const rows = patternRows("full", ["111", "110", "111", "000"]);
    const { runs, resolved, runDeviation } = summarizeArm(rows, "full");
    expect(runs.map(({ seed, resolved: { k, n } }) => [seed, k, n])).toEqual([
      [1, 3, 4],
      [2, 3, 4],
      [3, 2, 4],
    ]);
    expect(runs[0]?.resolved.interval?.[0]).toBeCloseTo(0.30064, 5);
    expect(resolved?.value).toBeCloseTo(2 / 3, 12);
    expect(resolved).toMatchObject({ n: 4 });
    expect(runDeviation).toBeCloseTo(0.25 / Math.sqrt(3), 12);
  });

  it("has no deviation of one run, and nothing of an arm that did not run", () => {
    const rows = patternRows("full", ["1", "0"]);
    expect(summarizeArm(rows, "full").runDeviation).toBeNull();
    expect(summarizeArm(rows, "baseline")).toEqual({
      arm: "baseline",
      runs: [],
      resolved: null,
      runDeviation: null,
    });
  });

  it("weighs instances, not runs, where some runs are missing", () => {
    const rows = patternRows("full", ["111", "0"]);
    expect(summarizeArm(rows, "full").resolved?.value).toBe(0.5);
  });

  it("lies between 0 and 1, and between the runs where all are complete", () => {
    fc.assert(
      fc.property(pairedRows, (rows) => {
        const { runs, resolved } = summarizeArm(rows, "full", { resamples: 200, seed: 1 });
        const shares = runs.map(({ resolved: { share } }) => share ?? Number.NaN);
        const value = resolved?.value ?? Number.NaN;
        expect(value).toBeGreaterThanOrEqual(Math.min(...shares) - 1e-12);
        expect(value).toBeLessThanOrEqual(Math.max(...shares) + 1e-12);
        expect(resolved?.interval[0]).toBeGreaterThanOrEqual(0);
        expect(resolved?.interval[1]).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("meanOf", () => {
  it("averages any number of the rows", () => {
    const rows = patternRows("full", ["11", "10"]).map((row, at) => ({ ...row, cost: at }));
    expect(meanOf(rows, "full", ({ cost }) => cost)).toMatchObject({ n: 2, value: 1.5 });
    expect(meanOf(rows, "full", () => null)).toBeNull();
  });
});
