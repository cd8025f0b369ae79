import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factorial } from "../../../src/eval/statistics/factorial.ts";

const factors = ["plan", "memory"];

function fourCells(planOnly: readonly number[], memoryOnly: readonly number[]) {
  return [
    { on: [], totals: [139, 144, 144] },
    { on: ["plan"], totals: planOnly },
    { on: ["memory"], totals: memoryOnly },
    { on: ["plan", "memory"], totals: [170, 164, 168] },
  ];
}

describe("factorial", () => {
  // All pairs of runs that the published effects and F allow (arXiv:2608.06811, Table VIII).
  it.each([
    { planOnly: [145, 150, 151], memoryOnly: [150, 150, 152] },
    { planOnly: [146, 148, 152], memoryOnly: [149, 151, 152] },
    { planOnly: [146, 149, 151], memoryOnly: [148, 152, 152] },
    { planOnly: [146, 150, 150], memoryOnly: [148, 151, 153] },
    { planOnly: [147, 149, 150], memoryOnly: [148, 150, 154] },
    { planOnly: [148, 148, 150], memoryOnly: [147, 152, 153] },
  ])("of $planOnly and $memoryOnly is the paper's", ({ planOnly, memoryOnly }) => {
    const { effects, error } = factorial(factors, fourCells(planOnly, memoryOnly));
    const [plan, memory, both] = effects;
    expect(error.df).toBe(8);
    expect(error.sumOfSquares).toBeCloseTo(58.6667, 4);
    expect(error.meanSquare).toBeCloseTo(7.3333, 4);
    expect(both?.factors).toEqual(["plan", "memory"]);
    expect(both?.contrast).toBeCloseTo(10.3333, 4);
    expect(both?.sumOfSquares).toBeCloseTo(80.0833, 4);
    expect(both?.f).toBeCloseTo(10.9205, 4);
    expect(both?.p).toBeCloseTo(0.010784, 6);
    expect(plan?.contrast).toBeCloseTo(23, 9);
    expect(plan?.effect).toBeCloseTo(11.5, 9);
    expect(plan?.sumOfSquares).toBeCloseTo(396.75, 9);
    expect(plan?.f).toBeCloseTo(54.1023, 4);
    expect(plan?.p).toBeCloseTo(7.95e-5, 7);
    expect(memory?.contrast).toBeCloseTo(27, 9);
    expect(memory?.sumOfSquares).toBeCloseTo(546.75, 9);
    expect(memory?.f).toBeCloseTo(74.5568, 4);
    expect(memory?.p).toBeCloseTo(2.51e-5, 7);
  });

  it("has an interval that excludes zero where p is below .05", () => {
    const { effects } = factorial(factors, fourCells([147, 149, 150], [148, 150, 154]));
    // t(8) = 2.306004, standard error √(7.3333·4/3) = 3.126944.
    expect(effects[2]?.interval).toEqual([
      expect.closeTo(10.3333 - 7.2108, 3),
      expect.closeTo(10.3333 + 7.2108, 3),
    ]);
  });

  it("takes three switches: one effect for each set of them", () => {
    // 100, and 8 for a, −2 for b, and 4 more only where a, b and c meet.
    const cells = [[], ["a"], ["b"], ["c"], ["a", "b"], ["a", "c"], ["b", "c"], ["a", "b", "c"]];
    const value = (on: readonly string[]) =>
      100 + (on.includes("a") ? 8 : 0) - (on.includes("b") ? 2 : 0) + (on.length === 3 ? 4 : 0);
    const { effects, error } = factorial(
      ["a", "b", "c"],
      cells.map((on) => ({ on, totals: [value(on) - 1, value(on) + 1] })),
    );
    expect(error).toEqual({ sumOfSquares: 16, df: 8, meanSquare: 2 });
    const byName = Object.fromEntries(effects.map((one) => [one.factors.join(""), one.effect]));
    expect(byName).toEqual({ a: 9, b: -1, c: 1, ab: 1, ac: 1, bc: 1, abc: 1 });
  });

  it("has contrasts without F where each cell has one run, or nothing varies", () => {
    const cells = (runs: number) =>
      [[], ["plan"], ["memory"], ["plan", "memory"]].map((on, at) => ({
        on,
        totals: Array.from({ length: runs }, () => at ** 2),
      }));
    const [once] = factorial(factors, cells(1)).effects;
    expect(once).toMatchObject({ contrast: 6, f: null, p: null, interval: null });
    const [same] = factorial(factors, cells(2)).effects;
    expect(same).toMatchObject({ contrast: 6, f: null, p: null, interval: [6, 6] });
  });

  const four = fourCells([147, 149, 150], [148, 150, 154]);
  it.each([
    {
      why: "a cell is missing",
      cells: four.slice(1),
      says: /these were given: plan, memory, plan\+memory/,
    },
    {
      why: "a cell is there twice",
      cells: [...four.slice(1), { on: ["memory"], totals: [1, 2, 3] }],
      says: /these were given/,
    },
    {
      why: "runs are unequal",
      cells: fourCells([147, 149], [148, 150, 154]),
      says: /they have 3 and 2 runs/,
    },
    {
      why: "there is no run",
      cells: four.map(({ on }) => ({ on, totals: [] })),
      says: /they have 0 runs/,
    },
    {
      why: "a factor is not known",
      cells: [...four, { on: ["plam"], totals: [1, 2, 3] }],
      says: /one names "plam"/,
    },
    {
      why: "a total is no number",
      cells: fourCells([147, 149, Number.NaN], [1, 2, 3]),
      says: /no finite number/,
    },
  ])("refuses when $why", ({ cells, says }) => {
    expect(() => factorial(factors, cells)).toThrow(says);
  });

  it("does not depend on the order of cells and runs, and p lies between 0 and 1", () => {
    const totals = fc.array(fc.nat(500), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(fc.tuple(totals, totals), fc.nat(), ([planOnly, memoryOnly], turn) => {
        const cells = fourCells(planOnly, memoryOnly);
        const turned = [...cells.slice(turn % 4), ...cells.slice(0, turn % 4)].map((cell) => ({
          ...cell,
          totals: cell.totals.toReversed(),
        }));
        const [one, other] = [factorial(factors, cells), factorial(factors, turned)];
        for (const [at, effect] of one.effects.entries()) {
          expect(other.effects[at]?.contrast).toBeCloseTo(effect.contrast, 9);
          expect(other.effects[at]?.p).toBeCloseTo(effect.p ?? Number.NaN, 9);
          expect(effect.p).toBeGreaterThanOrEqual(0);
          expect(effect.p).toBeLessThanOrEqual(1);
        }
        const parts = one.effects.reduce((total, effect) => total + effect.sumOfSquares, 0);
        const grand = cells.flatMap((cell) => cell.totals);
        const mean = grand.reduce((total, value) => total + value, 0) / grand.length;
        const total = grand.reduce((squares, value) => squares + (value - mean) ** 2, 0);
        expect(parts + one.error.sumOfSquares).toBeCloseTo(total, 6);
      }),
    );
  });
});
