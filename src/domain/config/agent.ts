import { z } from "zod";

export const AgentConfig = z.strictObject({
  stepLimit: z
    .int()
    .positive()
    .default(250)
    .describe("Model calls with purpose act (Table I: 250 assistant turns)."),
  costLimit: z
    .number()
    .positive()
    .nullable()
    .default(3)
    .describe(
      "US dollars for all model calls of the run (Table I: $3.0 per instance); null is no limit.",
    ),
  costRule: z
    .enum(["hard", "spent"])
    .default("hard")
    .describe(
      "hard: the next call must fit before it is made. spent: stop once the limit is reached, the rule of mini-swe-agent that paper arms keep.",
    ),
  allowUnknownCost: z
    .boolean()
    .default(false)
    .describe(
      "Go on with a model whose price is not known although a cost limit was asked for. Our choice: refuse.",
    ),
  timeLimitSec: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe("Wall time of the run in seconds; null is no limit. Our choice."),
  wrapUpShare: z
    .number()
    .min(0)
    .max(0.5)
    .default(0.05)
    .describe(
      "Share of a limit (steps, money, time; at least two steps) kept for wrapping up: when it begins, the model is told so once. 0: it is not told, as in paper arms. Our choice.",
    ),
  overflow: z
    .enum(["end", "compact"])
    .default("end")
    .describe(
      "When the model's context is full. end: the run ends, as evaluation arms do. compact: the oldest tool results are shown as one line each, and the run goes on. Our choice.",
    ),
  compactShare: z
    .number()
    .gt(0)
    .max(0.9)
    .default(0.3)
    .describe("Share of the conversation's characters that a compaction frees. Our choice."),
  compactKeepTurns: z
    .int()
    .nonnegative()
    .default(3)
    .describe("Newest turns whose results a compaction leaves whole. Our choice."),
  maxFormatErrors: z
    .int()
    .positive()
    .nullable()
    .default(3)
    .describe(
      "Replies in a row without a usable tool call that end the run (mini-swe-agent: 3); null is no limit.",
    ),
  observationChars: z
    .int()
    .positive()
    .default(10_000)
    .describe("Output of this many characters or more is cut (mini-swe-agent: 10,000)."),
  observationHeadChars: z
    .int()
    .positive()
    .default(5_000)
    .describe("Characters kept of the head of a cut output (mini-swe-agent: 5,000)."),
  observationTailChars: z
    .int()
    .positive()
    .default(5_000)
    .describe("Characters kept of the tail of a cut output (mini-swe-agent: 5,000)."),
  patch: z
    .enum(["extraction", "submission"])
    .default("extraction")
    .describe(
      "What is submitted: our own diff of the repository, or the text after the sentinel (harness-matched arms). Both are kept. Our choice: extraction.",
    ),
  patchMaxFileBytes: z
    .int()
    .positive()
    .default(20 * 1024 * 1024)
    .describe(
      "A new file larger than this is left out of the extracted patch and named. Our choice: graders choke on more.",
    ),
  systemPrompt: z
    .string()
    .nullable()
    .default(null)
    .describe("File with the system prompt to use instead of ours."),
  taskPrompt: z
    .string()
    .nullable()
    .default(null)
    .describe("File with the task prompt to use instead of ours; {{task}} stands for the issue."),
});
