import { z } from "zod";

/** What chat-completions servers send, as loosely as they do: any field may be null or missing. */
const count = z.number().nullish();

const UsageFields = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }).nullish(),
  /** DeepSeek. */
  prompt_cache_hit_tokens: count,
  /** Moonshot. */
  cached_tokens: count,
  /** LiteLLM. */
  cache_creation_input_tokens: count,
});
export type UsageFields = z.infer<typeof UsageFields>;

const CallFragment = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      /** Text by the specification; some servers send the object. */
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});

const Delta = z.object({
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_details: z.array(z.unknown()).nullish(),
  tool_calls: z.array(CallFragment).nullish(),
});
export type Delta = z.infer<typeof Delta>;

/** A chunk of a stream, or a whole completion (`message` instead of `delta`). */
export const Chunk = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        delta: Delta.nullish(),
        message: Delta.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: UsageFields.nullish(),
});
export type Chunk = z.infer<typeof Chunk>;

/** An error that came with status 200 in place of a completion. */
export const ErrorBody = z.looseObject({ error: z.record(z.string(), z.unknown()) });
