import { expect, it } from "vitest";
import { nothingSpent } from "../../src/agent/limits.ts";
import { limitNear } from "../../src/agent/wrap-up.ts";

const limits = { stepLimit: 40, costLimit: 2, timeLimitSec: 1000, wrapUpShare: 0.1 };

it.each([
  { steps: 35, near: null },
  { steps: 36, near: "4 steps are left of 40." },
  { steps: 39, near: "1 step is left of 40." },
  { steps: 40, near: null },
  { cost: 1.79, near: null },
  { cost: 1.8, near: "The money for this run is almost used up." },
  { seconds: 899, near: null },
  { seconds: 900, near: "The time for this run is almost used up." },
  { steps: 7, limits: { stepLimit: 10 }, near: null },
  { steps: 8, limits: { stepLimit: 10 }, near: "2 steps are left of 10." },
  { steps: 39, limits: { wrapUpShare: 0 }, near: null },
  { cost: 9, limits: { costLimit: null }, near: null },
  { seconds: 9999, limits: { timeLimitSec: null }, near: null },
])("limitNear: %o", ({ steps = 0, cost = 0, seconds = 0, limits: others = {}, near }) => {
  const spent = { ...nothingSpent, steps, cost };
  expect(limitNear({ ...limits, ...others }, spent, seconds)).toBe(near);
});
