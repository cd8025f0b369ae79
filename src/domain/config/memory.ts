import { z } from "zod";

export const MemoryConfig = z.strictObject({
  on: z
    .boolean()
    .default(false)
    .describe("The episodic memory. Our choice of default: the baseline."),
  lambda: z
    .number()
    .min(0)
    .max(1)
    .default(0.7)
    .describe("MMR weight of relevance against diversity (Table II: 0.7)."),
  wc: z.number().min(0).max(1).default(0.5).describe("Lexical weight (Table II: 0.5)."),
  wg: z.number().min(0).max(1).default(0.5).describe("Graph weight (Table II: 0.5)."),
  budget: z
    .int()
    .positive()
    .default(16_000)
    .describe("Retrieval budget in tokens without a planner (Table II: 16k)."),
  nodeCapChars: z
    .int()
    .positive()
    .default(4_000)
    .describe("Characters kept of one node (Table II: 4k)."),
});
