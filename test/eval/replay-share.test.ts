import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shareOf } from "../../src/eval/replay-share.ts";

describe("shareOf", () => {
  // Gains by difficulty, and the strata of armed and unarmed runs, of arXiv:2608.06811, Table IV.
  it.each([
    { k: 12, n: 194, share: 0.062 },
    { k: 17, n: 261, share: 0.065 },
    { k: 45, n: 185, share: 0.243 },
    { k: 106, n: 315, share: 0.337 },
  ])("$k of $n is $share", ({ k, n, share }) => {
    expect(shareOf(k, n).share).toBeCloseTo(share, 3);
  });

  it("gives Wilson's interval", () => {
    const [low = 0, high = 0] = shareOf(17, 35).interval ?? [];
    expect(low).toBeCloseTo(0.32994, 5);
    expect(high).toBeCloseTo(0.64431, 5);
  });

  it("has no share without a case, and an interval inside 0 to 1 around every other", () => {
    expect(shareOf(0, 0)).toEqual({ k: 0, n: 0, share: null, interval: null });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (n, some) => {
        const { share, interval } = shareOf(Math.min(some, n), n);
        const [low = 1, high = 0] = interval ?? [];
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(share).toBeGreaterThanOrEqual(low - 1e-12);
        expect(share).toBeLessThanOrEqual(high + 1e-12);
      }),
    );
  });
});
