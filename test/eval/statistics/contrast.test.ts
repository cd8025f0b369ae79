import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { summed } from "../../../src/eval/statistics/bootstrap.ts";
import { compare, contrast } from "../../../src/eval/statistics/contrast.ts";
import { type Outcome, resolvedMeasure } from "../../../src/eval/statistics/outcome.ts";
import { pair, pairedRows, patternRows } from "./outcome-rows.ts";

const fourInstances = [
  ...patternRows("baseline", ["111", "000", "010", "000"]),
  ...patternRows("full", ["111", "110", "111", "000"]),
];

describe("compare", () => {
  it("takes an instance as one case, whatever its runs", () => {
    const found = compare(fourInstances, pair, resolvedMeasure);
    const inInstances = found && summed(found.difference);
    expect(inInstances).toMatchObject({ n: 4, p: 0.125, exhaustive: true });
    expect(inInstances?.value).toBeCloseTo(1.3333, 4);
    expect(inInstances?.interval[0]).toBe(0);
    expect(inInstances?.interval[1]).toBeCloseTo(2.6667, 4);
    expect(found?.baseline).toBeCloseTo(1 / 3, 12);
    expect(found?.treatment).toBeCloseTo(2 / 3, 12);
    expect(found?.ratio.value).toBeCloseTo(2, 12);
    // Resamples of the two unresolved instances alone have no baseline to divide by.
    expect(found?.ratio.interval).toBeNull();
  });

  it("averages over the runs that have a value, and names instances without a partner", () => {
    const rows = [
      { instance: "a", arm: "baseline", seed: 1, resolved: true, steps: 10 },
      { instance: "a", arm: "baseline", seed: 2, resolved: true, steps: null },
      { instance: "a", arm: "full", seed: 1, resolved: true, steps: 20 },
      { instance: "a", arm: "full", seed: 2, resolved: true, steps: 40 },
      { instance: "b", arm: "baseline", seed: 1, resolved: true, steps: 5 },
      { instance: "c", arm: "full", seed: 1, resolved: true, steps: 5 },
      { instance: "d", arm: "full", seed: 1, resolved: true, steps: null },
    ];
    const found = compare(rows, pair, ({ steps }) => steps);
    expect(found).toMatchObject({
      baseline: 10,
      treatment: 30,
      difference: { n: 1, value: 20, interval: [20, 20], exhaustive: true },
      ratio: { value: 3, interval: [3, 3] },
      unpaired: ["b", "c"],
    });
  });

  it("has nothing to say where no instance is shared", () => {
    expect(compare([], pair, resolvedMeasure)).toBeNull();
    expect(compare(patternRows("full", ["1"]), pair, resolvedMeasure)).toBeNull();
  });

  it("refuses a table that holds an episode twice", () => {
    const rows = [...fourInstances, ...patternRows("full", ["1"])];
    expect(() => compare(rows, pair, resolvedMeasure)).toThrow(
      /i001, arm full, seed 1 stands there twice/,
    );
  });

  it("does not depend on row order, and turns with its arms", () => {
    const shuffled = pairedRows.chain((rows) =>
      fc.tuple(
        fc.constant(rows),
        fc.shuffledSubarray([...rows], { minLength: rows.length, maxLength: rows.length }),
      ),
    );
    const options = { resamples: 300, seed: 1 };
    fc.assert(
      fc.property(shuffled, ([rows, others]) => {
        const found = compare(rows, pair, resolvedMeasure, options);
        expect(compare(others, pair, resolvedMeasure, options)).toEqual(found);
        const turned = { baseline: "full", treatment: "baseline" };
        const back = compare(rows, turned, resolvedMeasure, options);
        expect(back?.difference.value).toBeCloseTo(-(found?.difference.value ?? Number.NaN), 12);
        expect(back?.difference.p).toBe(found?.difference.p);
      }),
    );
  });
});

describe("contrast", () => {
  it("weighs arms instance by instance", () => {
    const rows: readonly Outcome[] = [
      ...fourInstances,
      ...patternRows("plan-only", ["111", "100", "010", "000"]),
      ...patternRows("memory-only", ["111", "000", "011", "001"]),
    ];
    const weights = { full: 1, "plan-only": -1, "memory-only": -1, baseline: 1 };
    const found = contrast(rows, weights, resolvedMeasure);
    // By instance: 0, 2/3 − 1/3, 1 − 1/3 − 2/3 + 1/3, −1/3.
    expect(found && summed(found).value).toBeCloseTo(1 / 3, 12);
    expect(found?.n).toBe(4);
  });

  it("is the difference for two arms", () => {
    const difference = contrast(fourInstances, { full: 1, baseline: -1 }, resolvedMeasure);
    const found = compare(fourInstances, pair, resolvedMeasure)?.difference;
    expect(difference?.value).toBeCloseTo(found?.value ?? Number.NaN, 12);
    expect(difference?.p).toBe(found?.p);
  });
});
