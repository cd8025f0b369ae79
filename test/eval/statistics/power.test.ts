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

describe("McNemar's power", () => {
  // Computed by hand from the formula; the first shares are 63 and 32 of 500.
  it.each([
    { won: 0.126, lost: 0.064, instances: 386 },
    { won: 0.1, lost: 0.06, instances: 783 },
    { won: 0.2, lost: 0.1, instances: 234 },
  ])("needs $instances instances for $won won and $lost lost", ({ won, lost, instances }) => {
    expect(mcnemarInstances({ won, lost })).toBe(instances);
    expect(mcnemarPower({ won, lost }, instances)).toBeGreaterThanOrEqual(0.8);
    expect(mcnemarPower({ won, lost }, instances - 1)).toBeLessThan(0.8);
  });

  it("is what a simulation finds, and more than the exact test has", () => {
    const shares = { won: 0.2, lost: 0.1 };
    const tests = Array.from({ length: 3000 }, () => experiment(shares, 234));
    const uncorrected = tests.filter((test) => test.uncorrected.p < 0.05).length / 3000;
    const exact = tests.filter((test) => test.exact < 0.05).length / 3000;
    // Two standard errors of 3,000 experiments are .015.
    expect(Math.abs(uncorrected - mcnemarPower(shares, 234))).toBeLessThan(0.02);
    expect(exact).toBeLessThan(uncorrected);
    expect(exact).toBeGreaterThan(0.7);
  });

  it("knows extremes", () => {
    expect(mcnemarInstances({ won: 0.1, lost: 0.1 })).toBeNull();
    expect(mcnemarPower({ won: 1, lost: 0 }, 10)).toBe(1);
    expect(mcnemarPower({ won: 0, lost: 0 }, 10)).toBe(0);
    expect(() => mcnemarPower({ won: 0.7, lost: 0.4 }, 10)).toThrow(/between 0 and 1/);
    expect(() => mcnemarInstances({ won: -0.1, lost: 0.4 })).toThrow(/between 0 and 1/);
  });

  it("grows with instances, and is the same for gains and losses", () => {
    const shares = fc.tuple(fc.nat(40), fc.nat(40)).filter(([won, lost]) => won !== lost);
    fc.assert(
      fc.property(shares, fc.integer({ min: 10, max: 2000 }), ([won, lost], instances) => {
        const [there, back] = [
          { won: won / 100, lost: lost / 100 },
          { won: lost / 100, lost: won / 100 },
        ];
        const power = mcnemarPower(there, instances);
        expect(mcnemarPower(back, instances)).toBe(power);
        expect(mcnemarPower(there, instances + 10)).toBeGreaterThanOrEqual(power);
      }),
    );
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
