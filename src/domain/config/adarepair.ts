import { z } from "zod";

const share = (value: number, what: string) =>
  z.number().min(0).max(1).default(value).describe(what);

const Weights = z.strictObject({
  relevance: share(0.5, "BM25 (with utility 0.8, section IV-A; their split is our choice)."),
  utility: share(0.3, "Whether it was a success (with relevance 0.8; their split is our choice)."),
  specificity: share(0.1, "How much it tells (with redundancy 0.2; an equal split is our choice)."),
  redundancy: share(0.1, "Likeness to what was chosen before, taken off (as specificity)."),
});

/** AdaRepair-Mem (arXiv:2609.20130), a policy for recalling ExpeRepair's demonstrations. */
export const AdaRepairConfig = z.strictObject({
  car: z
    .boolean()
    .default(true)
    .describe("Other repositories where the own one has too little (ablation: w/o CAR)."),
  qas: z
    .boolean()
    .default(true)
    .describe("Choosing by quality, else by BM25 alone (ablation: w/o QAS)."),
  sar: z
    .boolean()
    .default(true)
    .describe("Memories of the stage alone, else of all stages (ablation: w/o SAR)."),
  kSame: z
    .int()
    .nonnegative()
    .default(10)
    .describe("Candidates of the own repository that are enough (section IV-A: 10)."),
  kCross: z
    .int()
    .nonnegative()
    .default(50)
    .describe(
      "Most candidates from other repositories, and of the repair type (section IV-A: 50).",
    ),
  topN: z.int().nonnegative().default(3).describe("Memories chosen for a stage (section IV-A: 3)."),
  weights: Weights.prefault({}).describe("What quality is made of (equation 2)."),
  nearDuplicate: share(
    0.85,
    "Share of words in common from which the less relevant of two is dropped. Our choice.",
  ),
  fullLength: z
    .int()
    .positive()
    .default(1000)
    .describe("Tokens from which a memory counts as fully specific. Our choice."),
});
export type AdaRepairConfig = z.infer<typeof AdaRepairConfig>;
