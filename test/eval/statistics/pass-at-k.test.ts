import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passAtK, passAtKOf } from "../../../src/eval/statistics/pass-at-k.ts";
import { patternRows } from "./outcome-rows.ts";

describe("passAtK", () => {
  it.each([
    { n: 3, c: 1, k: 1, is: 1 / 3 },
    { n: 3, c: 1, k: 2, is: 2 / 3 },
    { n: 3, c: 1, k: 3, is: 1 },
    { n: 3, c: 0, k: 3, is: 0 },
    { n: 10, c: 3, k: 5, is: 1 - 21 / 252 },
    { n: 200, c: 10, k: 100, is: 1 - 0.000771026 },
  ])("of $c in $n, drawing $k, is $is", ({ n, c, k, is }) => {
    expect(passAtK({ n, c }, k)).toBeCloseTo(is, 5);
  });

  it.each([
    { n: 3, c: 1, k: 4 },
    { n: 3, c: 1, k: 0 },
    { n: 3, c: 4, k: 1 },
    { n: 3, c: -1, k: 1 },
    { n: 3.5, c: 1, k: 1 },
  ])("refuses $c of $n, drawing $k", ({ n, c, k }) => {
    expect(() => passAtK({ n, c }, k)).toThrow(/pass@k takes/);
  });

  it("grows with k and with successes, from their share to certainty", () => {
    const runs = fc.integer({ min: 2, max: 60 }).chain((n) => fc.tuple(fc.constant(n), fc.nat(n)));
    fc.assert(
      fc.property(runs, fc.nat(), ([n, c], some) => {
        const k = 1 + (some % (n - 1));
        const now = passAtK({ n, c }, k);
        expect(passAtK({ n, c }, 1)).toBeCloseTo(c / n, 12);
        expect(passAtK({ n, c }, n)).toBe(c === 0 ? 0 : 1);
        expect(passAtK({ n, c }, k + 1)).toBeGreaterThanOrEqual(now);
        if (c < n) expect(passAtK({ n, c: c + 1 }, k)).toBeGreaterThanOrEqual(now);
      }),
    );
  });
});

describe("passAtKOf", () => {
  const rows = patternRows("full", ["111", "010", "000", "1"]);

  it("averages over instances with enough runs", () => {
    expect(passAtKOf(rows, { arm: "full", k: 1 })?.value).toBeCloseTo((1 + 1 / 3 + 0 + 1) / 4, 12);
    expect(passAtKOf(rows, { arm: "full", k: 2 })).toMatchObject({ n: 3 });
    expect(passAtKOf(rows, { arm: "full", k: 2 })?.value).toBeCloseTo((1 + 2 / 3) / 3, 12);
    expect(passAtKOf(rows, { arm: "full", k: 4 })).toBeNull();
  });
});
