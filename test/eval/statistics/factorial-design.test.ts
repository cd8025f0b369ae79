import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { summed } from "../../../src/eval/statistics/bootstrap.ts";
import { contrast } from "../../../src/eval/statistics/contrast.ts";
import {
  effectWeights,
  factorialOf,
  planAndMemory,
} from "../../../src/eval/statistics/factorial-design.ts";
import { resolvedMeasure } from "../../../src/eval/statistics/outcome.ts";
import { patternRows, totalRows } from "./outcome-rows.ts";

const paperRows = [
  ...totalRows("baseline", [139, 144, 144], 500),
  ...totalRows("plan-only", [147, 149, 150], 500),
  ...totalRows("memory-only", [148, 150, 154], 500),
  ...totalRows("full", [170, 164, 168], 500),
];

describe("factorialOf", () => {
  it("adds up runs and analyses them", () => {
    const found = factorialOf(paperRows, planAndMemory, resolvedMeasure);
    expect(found?.instances).toHaveLength(500);
    expect(found?.leftOut).toEqual([]);
    expect(found?.cells.map(({ on, totals }) => ({ on, totals }))).toEqual([
      { on: [], totals: [139, 144, 144] },
      { on: ["plan"], totals: [147, 149, 150] },
      { on: ["memory"], totals: [148, 150, 154] },
      { on: ["plan", "memory"], totals: [170, 164, 168] },
    ]);
    expect(found?.effects[2]?.f).toBeCloseTo(10.9205, 4);
    expect(found?.effects[2]?.p).toBeCloseTo(0.010784, 6);
  });

  it("is the contrast that a bootstrap takes by instance", () => {
    const weights = effectWeights(planAndMemory, ["plan", "memory"]);
    expect(weights).toEqual({ baseline: 1, "plan-only": -1, "memory-only": -1, full: 1 });
    expect(effectWeights(planAndMemory, ["plan"])).toEqual({
      baseline: -1,
      "plan-only": 1,
      "memory-only": -1,
      full: 1,
    });
    const found = contrast(paperRows, weights, resolvedMeasure, { resamples: 100, seed: 1 });
    expect(found && summed(found).value).toBeCloseTo(10.3333, 4);
  });

  it("counts whole instances alone while runs are missing", () => {
    const arms = Object.keys(planAndMemory.arms);
    const rows = arms.flatMap((arm) =>
      patternRows(arm, arm === "full" ? ["11", "1"] : ["10", "01"]),
    );
    const found = factorialOf(rows, planAndMemory, resolvedMeasure);
    expect(found).toMatchObject({ instances: ["i001"], leftOut: ["i002"] });
    expect(found?.cells.at(-1)?.totals).toEqual([1, 1]);
    expect(factorialOf([], planAndMemory, resolvedMeasure)).toBeNull();
  });

  it("refuses arms with different numbers of seeds", () => {
    const rows = paperRows.filter(({ arm, seed }) => arm !== "full" || seed < 3);
    expect(() => factorialOf(rows, planAndMemory, resolvedMeasure)).toThrow(
      /they have 3 and 2 runs/,
    );
  });

  it("does not depend on the order of rows", () => {
    const arms = Object.keys(planAndMemory.arms);
    const rows = fc
      .array(fc.stringMatching(/^[01]{2}$/), { minLength: 12, maxLength: 12 })
      .map((all) => arms.flatMap((arm, at) => patternRows(arm, all.slice(3 * at, 3 * at + 3))))
      .chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
        ),
      );
    fc.assert(
      fc.property(rows, ([ordered, shuffled]) => {
        expect(factorialOf(shuffled, planAndMemory, resolvedMeasure)).toEqual(
          factorialOf(ordered, planAndMemory, resolvedMeasure),
        );
      }),
    );
  });
});
