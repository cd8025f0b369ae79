import { z } from "zod";

const weight = () => z.number().min(0).max(1);

interface PolicyRow {
  readonly lambda: number;
  readonly wc: number;
  readonly wg: number;
  readonly beam: number;
  readonly files: number;
}

function policyRow(row: PolicyRow, why: string) {
  return z
    .strictObject({
      lambda: weight().default(row.lambda).describe(`Relevance against diversity: ${why}.`),
      wc: weight().default(row.wc).describe(`Lexical weight: ${why}.`),
      wg: weight().default(row.wg).describe(`Graph weight: ${why}.`),
      beam: z.int().positive().default(row.beam).describe(`Beam width: ${why}.`),
      files: z
        .int()
        .nonnegative()
        .default(row.files)
        .describe(`Most touched files that the anchor stands on: ${why}.`),
    })
    .prefault({});
}

/** Budgets by phase stand with the planner, which exports them. */
const MemoryPolicy = z.strictObject({
  explore: policyRow(
    { lambda: 0.6, wc: 0.6, wg: 0.4, beam: 4, files: 4 },
    "our choice, in the paper's direction (diverse while the agent orients)",
  ).describe("Retrieval while exploring."),
  hypothesize: policyRow(
    { lambda: 0.7, wc: 0.5, wg: 0.5, beam: 3, files: 3 },
    "Table II's base mix; beam and files are our choice",
  ).describe("Retrieval while hypothesizing."),
  implement: policyRow(
    { lambda: 0.8, wc: 0.3, wg: 0.7, beam: 2, files: 2 },
    "our choice, in the paper's direction (graph-weighted, focused on the edit site)",
  ).describe("Retrieval while implementing."),
  verify: policyRow(
    { lambda: 0.7, wc: 0.5, wg: 0.5, beam: 3, files: 3 },
    "Table II's base mix; beam and files are our choice",
  ).describe("Retrieval while verifying."),
  backtrack: policyRow(
    { lambda: 0.6, wc: 0.5, wg: 0.5, beam: 4, files: 4 },
    "our choice, in the paper's direction (diverse while the agent recovers)",
  ).describe("Retrieval at a backtrack."),
});

const EdgeCosts = z.strictObject({
  import: z.int().positive().default(1).describe("One file imports the other. Our choice."),
  cooccurrence: z.int().positive().default(1).describe("One node names both files. Our choice."),
  adjacency: z
    .int()
    .positive()
    .default(2)
    .describe("Consecutive results name the files. Our choice: the weakest evidence."),
});

export const MemoryConfig = z.strictObject({
  on: z
    .boolean()
    .default(true)
    .describe("The episodic memory. Our choice of default: the full arm."),
  lambda: weight()
    .default(0.7)
    .describe("MMR weight of relevance against diversity (Table II: 0.7)."),
  wc: weight().default(0.5).describe("Lexical weight (Table II: 0.5)."),
  wg: weight().default(0.5).describe("Graph weight (Table II: 0.5)."),
  beam: z.int().positive().default(3).describe("Beam width without a phase policy. Our choice."),
  files: z
    .int()
    .nonnegative()
    .default(2)
    .describe("Most touched files that the anchor stands on without a phase policy. Our choice."),
  budget: z
    .int()
    .positive()
    .default(16_000)
    .describe("Retrieval budget in tokens without a planner (Table II: 16k)."),
  nodeCapChars: z
    .int()
    .min(200)
    .default(4_000)
    .describe("Characters kept of one node (Table II: 4k)."),
  nodeFiles: z.int().positive().default(12).describe("Files kept of one node. Our choice."),
  tailNodes: z
    .int()
    .nonnegative()
    .default(6)
    .describe("Newest nodes always in the working set. Our choice: three turns."),
  anchorWords: z.int().positive().default(24).describe("Words of the query anchor. Our choice."),
  anchorIssueChars: z
    .int()
    .nonnegative()
    .default(200)
    .describe("Characters of the issue that seed the anchor without a planner. Our choice."),
  candidates: z
    .int()
    .positive()
    .default(64)
    .describe("Most relevant nodes that the search looks at. Our choice: bounds its cost."),
  maxNodes: z
    .int()
    .positive()
    .default(24)
    .describe("Nodes that the search adds to the core. Our choice."),
  reach: z
    .int()
    .nonnegative()
    .default(4)
    .describe("Longest path in the file graph that counts, in edge costs. Our choice."),
  edgeCosts: EdgeCosts.prefault({}).describe("Costs of the file graph's edges, by kind."),
  policy: MemoryPolicy.prefault({}).describe("Retrieval by policy phase."),
  uniformPolicy: z
    .boolean()
    .default(false)
    .describe("Base lambda, weights, beam and files in every phase. Our choice: an ablation."),
});
export type MemoryConfig = z.infer<typeof MemoryConfig>;
