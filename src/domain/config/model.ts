import { z } from "zod";

export const ModelConfig = z.strictObject({
  name: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "provider:name, such as anthropic:NAME, openai:NAME or replay:FILE. Our choice: no default, so that nobody pays by accident.",
    ),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null)
    .describe(
      "Base URL of an OpenAI-compatible or Anthropic-compatible server; null is the provider's own.",
    ),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(null)
    .describe(
      "Sampling temperature, sent only if set. Table I runs at 0.0; our choice for `run`: the provider's default.",
    ),
  maxOutputTokens: z
    .int()
    .positive()
    .default(8192)
    .describe(
      "Generation cap of one call, in tokens. Our choice: room for a long edit; Table I sets none.",
    ),
  contextTokens: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe(
      "Context window in tokens, where the server does not tell an overflow. Table I caps it at 65,536; our choice: the server decides.",
    ),
  attempts: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .describe(
      "Tries of one call before the model counts as unavailable (Table I: 10, exponential back-off).",
    ),
  retryBaseSec: z
    .number()
    .positive()
    .default(2)
    .describe("First back-off in seconds; it doubles. Our choice."),
  retryMaxSec: z
    .number()
    .positive()
    .default(60)
    .describe(
      "Upper bound of one back-off in seconds, whatever the server asks for. Our choice: a user should see a wait end.",
    ),
  timeoutSec: z
    .number()
    .positive()
    .default(600)
    .describe(
      "Seconds without a byte from the server, or twice as many with nothing but keep-alives, before a try counts as failed. Our choice: slow local models.",
    ),
  textCalls: z
    .boolean()
    .default(true)
    .describe(
      "Recognise a tool call that a local server returned as text. Our choice: several servers do it.",
    ),
  promptCache: z
    .boolean()
    .default(true)
    .describe(
      "Mark prompt-cache breakpoints where the provider takes them. Our choice: history never changes, so the prefix always hits.",
    ),
});
