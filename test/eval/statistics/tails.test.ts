import { describe, expect, it } from "vitest";
import {
  chiSquareTail,
  fTail,
  normalCdf,
  normalQuantile,
  tQuantile,
} from "../../../src/eval/statistics/tails.ts";

describe("tails", () => {
  // The first is arXiv:2608.06811, Table VIII.
  it.each([
    { f: 10.92, p: 0.010786 },
    { f: 10.9205, p: 0.010784 },
    { f: 54.1023, p: 0.0000795 },
    { f: 74.5568, p: 0.0000251 },
    { f: 0, p: 1 },
  ])("P(F(1, 8) > $f) is $p", ({ f, p }) => {
    expect(fTail(f, 1, 8)).toBeCloseTo(p, 6);
  });

  it("keeps its digits far out, where 1 − cdf has none", () => {
    expect(fTail(2000, 1, 8) / 6.900117e-11).toBeCloseTo(1, 4);
  });

  // Of any table of these distributions.
  it.each([
    { is: chiSquareTail(3.841459), p: 0.05 },
    { is: chiSquareTail(6.634897), p: 0.01 },
    { is: chiSquareTail(0), p: 1 },
    { is: tQuantile(0.975, 8), p: 2.306004 },
    { is: tQuantile(0.975, 2), p: 4.302653 },
    { is: normalQuantile(0.975), p: 1.959964 },
    { is: normalQuantile(0.8), p: 0.841621 },
    { is: normalCdf(1.644854), p: 0.95 },
  ])("$p", ({ is, p }) => {
    expect(is).toBeCloseTo(p, 5);
  });
});
