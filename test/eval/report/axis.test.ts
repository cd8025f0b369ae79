import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisOf, scaleOf } from "../../../src/eval/report/figures/frame.ts";

describe("an axis", () => {
  it.each([
    { values: [0.247, 0.375], ticks: [0.2, 0.25, 0.3, 0.35, 0.4], decimals: 2 },
    { values: [139, 170], ticks: [130, 140, 150, 160, 170], decimals: 0 },
    { values: [-8, 0, 34], ticks: [-10, 0, 10, 20, 30, 40], decimals: 0 },
    { values: [5], ticks: [5, 6], decimals: 0 },
    { values: [0, 0], ticks: [0, 0.2], decimals: 1 },
  ])("of $values has ticks at $ticks", ({ values, ticks, decimals }) => {
    expect(axisOf(values)).toEqual({ ticks, domain: [ticks[0], ticks.at(-1)], decimals });
  });

  it("holds its values between few, even, rising ticks", () => {
    const number = fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 1000);
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 20 }), (values) => {
        const { ticks, domain } = axisOf(values);
        expect(domain[0]).toBeLessThanOrEqual(Math.min(...values) + 1e-9);
        expect(domain[1]).toBeGreaterThanOrEqual(Math.max(...values) - 1e-9);
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.length).toBeLessThan(15);
        expect(ticks.every((tick, at) => at === 0 || tick > (ticks[at - 1] ?? 0))).toBe(true);
      }),
    );
  });

  it("maps its ends to those of the range", () => {
    const x = scaleOf([10, 20], [0, 380]);
    expect([x(10), x(15), x(20)]).toEqual([0, 190, 380]);
  });
});
