import { z } from "zod";

const weight = (value: number, what: string, why: string) =>
  z
    .number()
    .nonnegative()
    .default(value)
    .describe(`${what}; 0 leaves it out. Our choice, from 75 issues of sympy: ${why}.`);

const Evidence = z.strictObject({
  votes: weight(
    0.5,
    "Commits with a similar message, for the files that they changed",
    "a few commits decide, so they err together",
  ),
  histories: weight(1, "All messages of a file's own commits together", "the most telling"),
  paths: weight(0.75, "Words of the issue that stand in a file's path", "names follow topics"),
  mentions: weight(0.5, "Paths and dotted names in the issue", "few issues have one"),
  recency: weight(0.1, "How lately and how often a file changed", "breaks ties"),
});

export const RepoMemConfig = z.strictObject({
  window: z
    .int()
    .positive()
    .default(7000)
    .describe("Commits before the base that are remembered (arXiv:2510.01003: 7,000)."),
  episodic: z.boolean().default(true).describe("Memory of commits (arXiv:2510.01003)."),
  semantic: z.boolean().default(true).describe("Summaries of files (arXiv:2510.01003)."),
  tokenizer: z
    .enum(["code", "whitespace"])
    .default("code")
    .describe(
      "How messages become terms. The paper asks a model for names; ours splits identifiers and costs nothing. whitespace is its ablation.",
    ),
  leakFilter: z
    .boolean()
    .default(true)
    .describe(
      "Leave out commits that are linked to an issue like this one, or that speak like it (arXiv:2510.01003).",
    ),
  gate: z
    .int()
    .nonnegative()
    .default(0)
    .describe(
      "Say nothing where the whole history has fewer commits; 0: always speak. Our choice: the paper loses 13.1 points where histories are short, at about 10,000.",
    ),
  voters: z
    .int()
    .positive()
    .default(50)
    .describe("Most similar commits that vote. Our choice, from 75 issues of sympy."),
  title: z
    .number()
    .nonnegative()
    .default(0.5)
    .describe("Weight of the issue's first line asked alone, beside the whole. Our choice."),
  moves: z
    .boolean()
    .default(true)
    .describe("What a file was called before counts for what it is called now. Our choice."),
  sources: z
    .boolean()
    .default(true)
    .describe("Rank source files alone: no tests, no documentation. Our choice."),
  evidence: Evidence.prefault({}).describe("What speaks for a file, each from 0 to its weight."),
  topCommits: z
    .int()
    .positive()
    .default(20)
    .describe("Commits that SearchCommit lists (arXiv:2510.01003: 20)."),
  topSummaries: z
    .int()
    .positive()
    .default(5)
    .describe("Summaries that SearchSummary gives (arXiv:2510.01003: 5)."),
  summarised: z
    .int()
    .nonnegative()
    .default(200)
    .describe(
      "Most edited files that are summarised, and whose summaries count (arXiv:2510.01003: 200).",
    ),
  patchChars: z
    .int()
    .positive()
    .default(20_000)
    .describe("Characters of one patch that ExamineCommit shows. Our choice: room in the context."),
  recallCommits: z
    .int()
    .nonnegative()
    .default(5)
    .describe("Commits that are told as exploration begins. Our choice."),
  recallSummaries: z
    .int()
    .nonnegative()
    .default(3)
    .describe("Summaries that are told as exploration begins. Our choice."),
  agentSteps: z
    .int()
    .positive()
    .default(30)
    .describe("Model calls of the localisation agent. Our choice."),
});
export type RepoMemConfig = z.infer<typeof RepoMemConfig>;
