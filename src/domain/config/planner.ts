import { z } from "zod";

const budgets = {
  explore: 20_000,
  hypothesize: 16_000,
  implement: 12_000,
  verify: 16_000,
  backtrack: 20_000,
};
const PhaseBudget = z.strictObject({
  explore: z.int().positive().default(budgets.explore).describe("Tokens (Table II: 20k)."),
  hypothesize: z.int().positive().default(budgets.hypothesize).describe("Tokens (Table II: 16k)."),
  implement: z.int().positive().default(budgets.implement).describe("Tokens (Table II: 12k)."),
  verify: z.int().positive().default(budgets.verify).describe("Tokens (Table II: 16k)."),
  backtrack: z.int().positive().default(budgets.backtrack).describe("Tokens (Table II: 20k)."),
});

export const PlannerConfig = z.strictObject({
  on: z
    .boolean()
    .default(false)
    .describe("The phase planner. Our choice of default: the baseline."),
  phaseBudget: PhaseBudget.prefault({}).describe("Retrieval budget by policy phase (Table II)."),
  hysteresis: z
    .int()
    .positive()
    .default(2)
    .describe(
      "Steps in a row that must propose an earlier phase before it is taken (Table II: 2).",
    ),
  minBacktrackStep: z
    .int()
    .nonnegative()
    .default(10)
    .describe("No backtrack before this step (Table II: 10)."),
  cooldown: z
    .int()
    .nonnegative()
    .default(8)
    .describe("Steps between two backtracks (Table II: 8)."),
  stackDepth: z.int().positive().default(16).describe("Goal-stack depth (Table II: 16)."),
});

export const StuckConfig = z.strictObject({
  failedReturns: z
    .int()
    .positive()
    .default(5)
    .describe("Consecutive nonzero returns (Table II: 5)."),
  repeatedEdits: z.int().positive().default(6).describe("Edits of one file (Table II: 6)."),
  readSaturation: z
    .int()
    .positive()
    .default(15)
    .describe("Reads since the last source edit (Table II: 15)."),
  repeatedAction: z
    .int()
    .positive()
    .default(8)
    .describe("Occurrences of one action (Table II: 8)."),
  heavyEdits: z
    .int()
    .positive()
    .default(3)
    .describe(
      "Edits of one file that make a failure a case for reverting it. Our choice: half of repeatedEdits.",
    ),
});
