import { expect, it } from "vitest";
import { dollars, duration, moment, score } from "../../src/viewer/amounts.ts";

it.each([
  [duration(0), "0 s"],
  [duration(0.0301), "31 ms"],
  [duration(0.25), "0.3 s"],
  [duration(12.4), "12 s"],
  [duration(65), "1 min 05 s"],
  [duration(7380), "2 h 03 min"],
  [dollars(0), "$0"],
  [dollars(0.0123), "$0.012"],
  [dollars(2.5), "$2.50"],
  [score(0.314), ".31"],
  [score(-0.05), "-.05"],
  [score(1), "1.00"],
  [moment(Date.UTC(2026, 10, 30, 14, 25, 1)), "2026-11-30 14:25:01"],
])("says %s", (said, expected) => {
  expect(said).toBe(expected);
});
