import { describe, expect, it } from "vitest";
import {
  bootstrapProbability,
  dollars,
  fixed,
  percent,
  probability,
  ranges,
  signed,
  withInterval,
} from "../../../src/eval/report/numerals.ts";

describe("numbers as people read them", () => {
  it.each([
    [6000, 0, "6,000"],
    [1234567.891, 1, "1,234,567.9"],
    [999, 0, "999"],
    [-0.04, 1, "0.0"],
    [-0.06, 1, "−0.1"],
    [0.5, 2, "0.50"],
  ])("%d with %d decimals is %s", (value, decimals, text) => {
    expect(fixed(value, decimals)).toBe(text);
  });

  it.each([
    [25, "+25.0"],
    [-18.666, "−18.7"],
    [0, "0.0"],
    [0.01, "0.0"],
    [-0.01, "0.0"],
  ])("a change of %d is %s", (value, text) => {
    expect(signed(value)).toBe(text);
  });

  it.each([
    [0.28466, "28.5 %"],
    [1, "100.0 %"],
  ])("a share of %d is %s", (share, text) => {
    expect(percent(share)).toBe(text);
  });

  it.each([
    [0.011, ".011"],
    [0.0336, ".034"],
    [1, "1.00"],
    [0.99951, "1.00"],
    [0.00007951, "8.0e-5"],
    [0, "0"],
  ])("p of %d is %s", (p, text) => {
    expect(probability(p)).toBe(text);
  });

  it.each([
    [{ p: 0, resamples: 10_000, exhaustive: false }, "< .0002"],
    [{ p: 0, resamples: 500, exhaustive: false }, "< .004"],
    [{ p: 0, resamples: 1e8, exhaustive: false }, "< 2e-8"],
    // All draws that there are, of three instances, of five, and of one: no p of zero.
    [{ p: 0, resamples: 27, exhaustive: true }, "< 2/27"],
    [{ p: 0, resamples: 3125, exhaustive: true }, "< 2/3,125"],
    [{ p: 0, resamples: 1, exhaustive: true }, "< 1"],
    [{ p: 0, resamples: 1, exhaustive: false }, "< 1"],
    [{ p: 0.125, resamples: 256, exhaustive: true }, ".125"],
  ])("a bootstrap with %j says %s", (found, text) => {
    expect(bootstrapProbability(found)).toBe(text);
  });

  it.each([
    [0, "$0.00"],
    [0.1234, "$0.123"],
    [1186.974, "$1,186.97"],
    [-0.5, "−$0.500"],
  ])("%d dollars are %s", (cost, text) => {
    expect(dollars(cost)).toBe(text);
  });

  it.each([
    [[1, 2, 3], "1–3"],
    [[7, 3, 1, 2], "1–3, 7"],
    [[4], "4"],
    [[], ""],
  ])("%j in a row are %s", (values, text) => {
    expect(ranges(values)).toBe(text);
  });

  it("has no interval where there is no estimate", () => {
    expect(withInterval(null, percent)).toBe("–");
    expect(withInterval({ value: 0.5, interval: [0.25, 0.75] }, percent)).toBe(
      "50.0 % (25.0 % to 75.0 %)",
    );
  });
});
