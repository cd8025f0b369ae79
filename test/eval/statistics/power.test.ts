import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mcnemar } from "../../../src/eval/statistics/mcnemar.ts";
import {
  bootstrapPower,
  detectableEffect,
  instancesNeeded,
  mcnemarInstances,
  mcnemarPower,
  seedsNeeded,
  standardErrorOf,
} from "../../../src/eval/statistics/power.ts";
import { randomIndices } from "../../../src/eval/statistics/random.ts";

const draw = randomIndices(11);

/** McNemar's test of one simulated experiment. */
function experiment(shares: { won: number; lost: number }, instances: number) {
  const places = Array.from({ length: instances }, () => draw(1_000_000) / 1_000_000);
  const won = places.filter((place) => place < shares.won).length;
  const differ = places.filter((place) => place < shares.won + shares.lost).length;
  return mcnemar(won, differ - won);
}

/** The same power, outcome by outcome: each instance is won, lost or equal. */
function rejected({ won, lost }: { won: number; lost: number }, instances: number): number {
  const chance = (w: number, l: number) =>
    choose(instances, w) * choose(instances - w, l) * won ** w * lost ** l * equal(w + l);
  const equal = (differ: number) => (1 - won - lost) ** (instances - differ);
  const counts = Array.from({ length: instances + 1 }, (_, count) => count);
  return counts
    .flatMap((w) => counts.filter((l) => w + l <= instances).map((l) => [w, l] as const))
    .filter(([w, l]) => mcnemar(w, l).exact < 0.05)
    .reduce((sum, [w, l]) => sum + chance(w, l), 0);
}

function choose(n: number, k: number): number {
  return Array.from({ length: k }, (_, at) => (n - at) / (at + 1)).reduce(
    (all, one) => all * one,
    1,
  );
}

describe("McNemar's power", () => {
  // Computed by hand from the formula; the first shares are 63 and 32 of 500.
  it.each([
    { won: 0.126, lost: 0.064, instances: 386 },
    { won: 0.1, lost: 0.06, instances: 783 },
    { won: 0.2, lost: 0.1, instances: 234 },
  ])("needs $instances instances for $won won and $lost lost", ({ won, lost, instances }) => {
    expect(mcnemarInstances({ won, lost })).toBe(instances);
    // The exact test needs some more.
    expect(mcnemarPower({ won, lost }, instances)).toBeGreaterThan(0.77);
    expect(mcnemarPower({ won, lost }, instances)).toBeLessThan(0.8);
  });

  // Five that differ cannot be significant: 2 / 2⁵. Six are when all go one way, eight too, nine
  // when one does not, each with its share.
  it.each([
    { won: 1, lost: 0, instances: 5, power: 0 },
    { won: 1, lost: 0, instances: 6, power: 1 },
    { won: 0.5, lost: 0.5, instances: 6, power: 2 / 64 },
    { won: 0.75, lost: 0.25, instances: 8, power: (6561 + 1) / 65_536 },
    { won: 0.75, lost: 0.25, instances: 9, power: (19_683 + 9 * 6561 + 1 + 9 * 3) / 262_144 },
    // Six or more of ten differ, and all that do are won.
    { won: 0.5, lost: 0, instances: 10, power: 386 / 1024 },
    { won: 0.375, lost: 0, instances: 4, power: 0 },
    { won: 0, lost: 0, instances: 10, power: 0 },
  ])("is $power for $won won and $lost lost of $instances", ({ power, instances, ...shares }) => {
    expect(mcnemarPower(shares, instances)).toBeCloseTo(power, 12);
  });

  it("is the chance of all outcomes that the exact test rejects", () => {
    const shares = fc.tuple(fc.nat(50), fc.nat(50));
    fc.assert(
      fc.property(shares, fc.integer({ min: 1, max: 24 }), ([left, right], instances) => {
        const [won, lost] = [left / 100, right / 100];
        expect(mcnemarPower({ won, lost }, instances)).toBeCloseTo(
          rejected({ won, lost }, instances),
          10,
        );
        expect(mcnemarPower({ won: lost, lost: won }, instances)).toBeCloseTo(
          mcnemarPower({ won, lost }, instances),
          10,
        );
      }),
      { numRuns: 50 },
    );
  });

  it("is what a simulation finds for the exact test, less than the uncorrected one has", () => {
    const shares = { won: 0.2, lost: 0.1 };
    const tests = Array.from({ length: 3000 }, () => experiment(shares, 234));
    const uncorrected = tests.filter((test) => test.uncorrected.p < 0.05).length / 3000;
    const exact = tests.filter((test) => test.exact < 0.05).length / 3000;
    // Two standard errors of 3,000 experiments are .015.
    expect(Math.abs(uncorrected - 0.8)).toBeLessThan(0.02);
    expect(Math.abs(exact - mcnemarPower(shares, 234))).toBeLessThan(0.02);
    expect(exact).toBeLessThan(uncorrected);
  });

  it("knows extremes", () => {
    expect(mcnemarInstances({ won: 0.1, lost: 0.1 })).toBeNull();
    // A third and two thirds, as means of runs: one, but for rounding.
    expect(mcnemarPower({ won: 1 / 3, lost: 2 / 3 + 2e-16 }, 6)).toBeCloseTo(65 / 729, 12);
    expect(() => mcnemarPower({ won: 0.7, lost: 0.4 }, 10)).toThrow(/between 0 and 1/);
    expect(() => mcnemarInstances({ won: -0.1, lost: 0.4 })).toThrow(/between 0 and 1/);
  });
});

describe("a bootstrap's power", () => {
  it("is that of the paper's standard error", () => {
    // Half width 10.7 instances: 10.7 / 1.96 = 5.46.
    const standardError = 10.7 / 1.959964;
    expect(standardError).toBeCloseTo(5.46, 2);
    expect(detectableEffect(standardError)).toBeCloseTo(15.3, 1);
    expect(bootstrapPower(detectableEffect(standardError), standardError)).toBeCloseTo(0.8, 6);
    expect(bootstrapPower(-25, standardError)).toBeCloseTo(0.9956, 3);
  });

  const components = { between: 0.02, within: 0.24 };

  it("grows with instances and with seeds", () => {
    expect(standardErrorOf(components, { instances: 500, seeds: 3 })).toBeCloseTo(0.01414, 5);
    // 2.801585² · (.02 + .24/3) / .05² = 313.96.
    expect(instancesNeeded(components, { effect: 0.05, seeds: 3 })).toBe(314);
    // .24 / (500·(.05/2.801585)² − .02)= 1.722.
    expect(seedsNeeded(components, { effect: 0.05, instances: 500 })).toBe(2);
    expect(seedsNeeded(components, { effect: 0.01, instances: 500 })).toBeNull();
    expect(instancesNeeded(components, { effect: 0, seeds: 3 })).toBeNull();
  });

  it("names numbers that are enough, and the smallest", () => {
    const cases = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 20, max: 1000 }));
    fc.assert(
      fc.property(cases, ([hundredths, instances]) => {
        const effect = hundredths / 100;
        const seeds = seedsNeeded(components, { effect, instances });
        const reach = (count: number) =>
          detectableEffect(standardErrorOf(components, { instances, seeds: count }));
        if (seeds === null) {
          expect(reach(1e9)).toBeGreaterThan(effect - 1e-6);
          return;
        }
        expect(reach(seeds)).toBeLessThanOrEqual(effect + 1e-9);
        if (seeds > 1) expect(reach(seeds - 1)).toBeGreaterThan(effect - 1e-9);
        const needed = instancesNeeded(components, { effect, seeds }) ?? Number.NaN;
        expect(needed).toBeLessThanOrEqual(instances);
      }),
    );
  });
});
