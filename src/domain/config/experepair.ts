import { z } from "zod";

/** ExpeRepair (arXiv:2506.10484). */
export const ExpeRepairConfig = z.strictObject({
  episodic: z
    .boolean()
    .default(true)
    .describe("Demonstrations from other issues (ablation: w/o episodic memory)."),
  semantic: z
    .boolean()
    .default(true)
    .describe("Insights distilled from other issues (ablation: w/o semantic memory)."),
  k: z
    .int()
    .nonnegative()
    .default(3)
    .describe("Demonstrations that are recalled (section 3.5: 3; 0, 1, 3, 5 were tried)."),
  promptExamples: z
    .int()
    .nonnegative()
    .default(3)
    .describe("Of them, how many a prompt shows (the paper: 3; its public code: 1)."),
  insightsCap: z
    .int()
    .nonnegative()
    .default(15)
    .describe("Insights kept for each of tester and coder (section 3.5: 15)."),
  overflow: z
    .enum(["oldest", "newest"])
    .default("oldest")
    .describe(
      "Which are dropped beyond the cap (section 4.2.3: the oldest; its public code: the newest).",
    ),
  updateOps: z
    .array(z.enum(["ADD", "EDIT", "REMOVE"]))
    .default(["ADD", "EDIT", "REMOVE"])
    .describe("What a distillation may do to insights (section 4.2.3 tries the subsets)."),
  retriever: z
    .enum(["bm25", "embedding", "hybrid"])
    .default("bm25")
    .describe(
      "How demonstrations are found (section 4.2.2: BM25 is best). The others want experience.sweExp.embedder; hybrid is the mean of both, our choice.",
    ),
  okapiCompat: z
    .boolean()
    .default(false)
    .describe(
      "Okapi's idf, as the public code has it. Our choice of default: it makes common terms of a small memory worth nothing.",
    ),
});
export type ExpeRepairConfig = z.infer<typeof ExpeRepairConfig>;
