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

const LoopHint = z.strictObject({
  on: z
    .boolean()
    .default(true)
    .describe(
      "One advisory line when results show a loop; never a backtrack. Our choice: off in the paper's arms.",
    ),
  sameResult: z
    .int()
    .positive()
    .default(4)
    .describe(
      "Times one command gives one output while nothing changes. Our choice: fewer may be a poll.",
    ),
  rounds: z
    .int()
    .positive()
    .default(3)
    .describe("Rounds of one cycle of commands and outputs. Our choice: two may be a retry."),
  sameTree: z
    .int()
    .positive()
    .default(3)
    .describe("Times one result comes back on a tree that was there before. Our choice."),
});

export const PlannerConfig = z.strictObject({
  on: z.boolean().default(true).describe("The phase planner. Our choice of default: the full arm."),
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
  issueChars: z
    .int()
    .positive()
    .default(6_000)
    .describe("Characters of the issue in the decomposition call. Our choice: one cheap call."),
  skipAfter: z
    .int()
    .positive()
    .default(3)
    .describe(
      "Calls past its phase that close a sub-task without evidence. Our choice: a jump must not block the queue for ever.",
    ),
  dwell: z
    .int()
    .positive()
    .default(3)
    .describe(
      "Calls on a recovery step that close it when the next one is of no later phase. Our choice.",
    ),
  strictCompletion: z
    .boolean()
    .default(true)
    .describe(
      "Only a test run, the reproducer or a run meant to verify completes verification; false: any verification step. Our choice: printed claims exit 0 too.",
    ),
  testBeforeEditIsHypothesis: z
    .boolean()
    .default(true)
    .describe(
      "A test run before the first edit diagnoses instead of verifying. Our choice: else a first baseline run would complete the plan.",
    ),
  loopHint: LoopHint.prefault({}).describe("The result-aware loop hint."),
});
export type PlannerConfig = z.infer<typeof PlannerConfig>;

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
  readsSince: z
    .enum(["check", "edit"])
    .default("check")
    .describe(
      "What ends the count of reads: a passing test run or verdict, or a source edit. Our choice: an edit that nothing confirms ends no search; the paper says edit.",
    ),
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
export type StuckConfig = z.infer<typeof StuckConfig>;
