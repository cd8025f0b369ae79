import { z } from "zod";

/** Which experiences an issue may be shown (the paper states the rule in three ways). */
const leakageModes = ["strict", "temporalSameRepo", "codeCompat"] as const;
export type LeakageMode = (typeof leakageModes)[number];

/** Whose vectors tell which experiences are near. */
const EmbedderConfig = z.strictObject({
  model: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      "Name of an embedding model at an OpenAI-compatible server; null: BM25 instead, said aloud. The paper: multilingual-e5-large.",
    ),
  baseUrl: z
    .url()
    .nullable()
    .default(null)
    .describe("That server; null: OpenAI's own. Our choice."),
  queryPrefix: z
    .string()
    .default("Instruct: Given a software issue, find issues that need the same insight\nQuery: ")
    .describe("Stands before what is looked for, as instruct models want. Our words."),
  maxChars: z
    .int()
    .positive()
    .default(4000)
    .describe("Characters of a text that are embedded (the paper: 1,024 tokens)."),
});
export type EmbedderConfig = z.infer<typeof EmbedderConfig>;

/** SWE-Exp's experience bank (arXiv:2507.23361). Switches are those of its ablations. */
export const SweExpMemoryConfig = z.strictObject({
  comprehension: z
    .boolean()
    .default(true)
    .describe("How such an issue was understood is recalled (ablation: −3.2 points)."),
  modification: z
    .boolean()
    .default(true)
    .describe("How such an issue was repaired is recalled (ablation: −2.6 points)."),
  extraction: z
    .boolean()
    .default(true)
    .describe("Off: the other issue and its patch as they are (ablation: −6.0 points)."),
  rerank: z
    .boolean()
    .default(true)
    .describe("A model picks among the nearest; off: the nearest (ablation: −3.8 points)."),
  candidates: z.int().positive().default(10).describe("The nearest that a model picks from (N)."),
  k: z.int().nonnegative().default(1).describe("Experiences that are used (k; 1 is best)."),
  bankSize: z
    .int()
    .nonnegative()
    .nullable()
    .default(null)
    .describe("So many of the bank's experiences alone, the same each time; null: all of them."),
  leakage: z
    .enum(leakageModes)
    .default("strict")
    .describe(
      "strict: other repositories' earlier issues; temporalSameRepo: all but later ones of the same repository (6.1); codeCompat: other repositories' (the published code).",
    ),
  tries: z.int().positive().default(5).describe("Calls until an answer can be read (the code's)."),
  issueChars: z
    .int()
    .positive()
    .default(20_000)
    .describe("Characters of an issue that are shown to a model. Our choice."),
  rolloutChars: z
    .int()
    .positive()
    .default(40_000)
    .describe("Characters of an episode that experience is extracted from. Our choice."),
  embedder: EmbedderConfig.prefault({}).describe("How near two issues are."),
});
export type SweExpMemoryConfig = z.infer<typeof SweExpMemoryConfig>;
