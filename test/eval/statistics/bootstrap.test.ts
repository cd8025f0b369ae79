import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bootstrapMean,
  clusterBootstrap,
  pairedBootstrap,
  summed,
} from "../../../src/eval/statistics/bootstrap.ts";
import { bootstrapDefaults } from "../../../src/eval/statistics/resample.ts";

const values = fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 1, maxLength: 40 });

function bootstrapped(of: readonly number[], options = bootstrapDefaults) {
  const estimate = clusterBootstrap(of, options);
  if (estimate === null) throw new Error("a bootstrap of no values");
  return estimate;
}

describe("clusterBootstrap", () => {
  it("is exact for few instances", () => {
    const { p, resamples, exhaustive, ...estimate } = summed(bootstrapped([0, 2 / 3, 2 / 3, 0]));
    expect({ p, resamples, exhaustive }).toEqual({ p: 0.125, resamples: 256, exhaustive: true });
    expect(estimate.value).toBeCloseTo(4 / 3, 12);
    expect(estimate.interval).toEqual([0, expect.closeTo(8 / 3, 12)]);
    // Each of four draws has variance 1/9.
    expect(estimate.standardError).toBeCloseTo(2 / 3, 12);
  });

  it("samples where all draws would be too many, and comes near to them", () => {
    const sampled = summed(bootstrapped([0, 2 / 3, 2 / 3, 0], { resamples: 255, seed: 3 }));
    expect(sampled).toMatchObject({ resamples: 255, exhaustive: false });
    expect(Math.abs(sampled.p - 0.125)).toBeLessThan(0.08);
    expect(Math.abs(sampled.standardError - 2 / 3)).toBeLessThan(0.1);
  });

  it("has the spread of a normal mean where there are many instances", () => {
    const many = Array.from({ length: 500 }, (_, at) => [1, -1, 0, 0, 0][at % 5] ?? 0);
    const { value, interval, standardError } = bootstrapped(many);
    const expected = Math.sqrt(0.4 / 500);
    expect(value).toBe(0);
    expect(standardError / expected).toBeCloseTo(1, 1);
    expect(interval[0] / (-1.96 * expected)).toBeCloseTo(1, 1);
    expect(interval[1] / (1.96 * expected)).toBeCloseTo(1, 1);
  });

  it("counts what is zero but for rounding as zero", () => {
    // 0.1 + 0.2 − 0.3 is 5.6e-17: each order of the three is a tie.
    const { p } = bootstrapped([0.1, 0.2, -0.3]);
    const draws = [1, 2, -3].flatMap((a) =>
      [1, 2, -3].flatMap((b) => [1, 2, -3].map((c) => a + b + c)),
    );
    const atMost = draws.filter((total) => total <= 0).length;
    const atLeast = draws.filter((total) => total >= 0).length;
    expect(p).toBe(Math.min(1, (2 * Math.min(atMost, atLeast)) / 27));
  });

  it("gives the same for the same seed, and something else for another", () => {
    const some = Array.from({ length: 50 }, (_, at) => (at * 7) % 11);
    expect(bootstrapped(some)).toEqual(bootstrapped(some));
    const other = bootstrapped(some, { ...bootstrapDefaults, seed: 2 });
    expect(other.interval).not.toEqual(bootstrapped(some).interval);
  });

  it("has nothing to say of no instance", () => {
    expect(clusterBootstrap([])).toBeNull();
    expect(bootstrapMean([])).toBeNull();
    expect(pairedBootstrap([], [])).toBeNull();
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses %s", (odd) => {
    expect(() => clusterBootstrap([1, odd])).toThrow(/finite numbers, but one of its values is/);
  });

  it.each([0, 1.5, Number.NaN])("refuses %s resamples", (resamples) => {
    expect(() => clusterBootstrap([1], { resamples, seed: 1 })).toThrow(/from 1, not/);
  });

  it("holds the estimate in its interval, p between 0 and 1, and mirrors with its values", () => {
    fc.assert(
      fc.property(values, fc.nat(), (some, seed) => {
        const options = { resamples: 1000, seed };
        const { value, interval, p } = bootstrapped(some, options);
        expect(interval[0]).toBeLessThanOrEqual(value + 1e-9);
        expect(interval[1]).toBeGreaterThanOrEqual(value - 1e-9);
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
        const mirrored = bootstrapped(
          some.map((one) => -one),
          options,
        );
        expect(mirrored.p).toBe(p);
      }),
    );
  });
});

describe("pairedBootstrap", () => {
  it("draws both sides together", () => {
    const found = pairedBootstrap([1, 2, 3, 4], [2, 4, 6, 8]);
    expect(found?.ratio).toEqual({ value: 2, interval: [2, 2] });
    expect(found?.difference).toEqual(clusterBootstrap([1, 2, 3, 4]));
  });

  it("has no interval of a ratio where a resample has nothing to divide by", () => {
    expect(pairedBootstrap([0, 4], [1, 2])?.ratio).toEqual({ value: 0.75, interval: null });
    expect(pairedBootstrap([0, 0], [1, 2])?.ratio).toEqual({ value: null, interval: null });
  });

  it("refuses sides of different length", () => {
    expect(() => pairedBootstrap([1, 2, 3], [1, 2])).toThrow(/3 and 2/);
  });
});
