import type { AssistantMessage, Message, ToolSchema } from "./message.ts";

/** Why the model is asked: a step of the loop, a step of a workflow, or something beside both. */
export const purposes = [
  "act",
  "test",
  "check",
  "locate",
  "patch",
  "review",
  "advise",
  "validate",
  "select",
  "instruct",
  "assist",
  "value",
  "reuse",
  "type",
  "rerank",
  "decompose",
  "repro",
  "distil",
  "summarise",
] as const;
export type Purpose = (typeof purposes)[number];

const asides: readonly Purpose[] = ["decompose", "repro", "distil", "type", "rerank", "summarise"];

/** Whether step limits count such a call; cost counts all. */
export const isStep = (purpose: Purpose): boolean => !asides.includes(purpose);

/** Whether a call is a step of a workflow, whose question the record keeps beside the reply. */
export const isWorkflowStep = (purpose: Purpose): boolean => purpose !== "act" && isStep(purpose);

export interface ModelRequest {
  readonly purpose: Purpose;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  /** Tokens, generation cap of this call. */
  readonly maxOutputTokens: number;
  /** Sent only if set. */
  readonly temperature?: number;
  /** Goes to APIs that take one. */
  readonly seed?: number;
  /** So many calls of this purpose came before it in the run: what a recording is read by. */
  readonly ordinal?: number;
}

/** Tokens. `input` counts everything the prompt held, cache reads and writes included. */
export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly cacheWritten: number;
  readonly output: number;
}

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly cached: number;
  readonly cacheWritten: number;
  readonly output: number;
}

/** `calls`: wants tools run · `end`: said its piece · `length`: cut at maxOutputTokens. */
export type StopReason = "calls" | "end" | "length" | "refusal";

export interface ModelReply {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  readonly stop: StopReason;
  /** The name that the server reports, which may be more exact than the one asked for. */
  readonly model: string;
}

/** One attempt that failed and will be repeated; told to the user as it happens. */
export interface Retry {
  readonly attempt: number;
  readonly of: number;
  readonly waitSec: number;
  readonly reason: string;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onRetry: (retry: Retry) => void | Promise<void>;
}

/**
 * A language model.
 *
 * Contract: `complete` never changes the request, never returns a half reply, and counts the usage
 * of the winning attempt only. Retries are its own affair, bounded, and each is reported through
 * `onRetry` before the wait. It throws PmcoderError `model_unavailable` (bad key, unknown model,
 * retries used up, cassette exhausted), `context_exhausted` (the prompt does not fit), or
 * `interrupted` when `signal` aborts.
 */
export interface Model {
  /** `provider:name`, as the user wrote it. */
  readonly name: string;
  /** null: unknown, so money cannot be counted. Loopback servers and replay cost nothing. */
  readonly price: Price | null;
  complete(request: ModelRequest, options: CallOptions): Promise<ModelReply>;
}

export const noUsage: Usage = { input: 0, cached: 0, cacheWritten: 0, output: 0 };
export const free: Price = { input: 0, cached: 0, cacheWritten: 0, output: 0 };

/** US dollars: cache reads and writes at their own rate, the rest of the input at the full one. */
export function costOf(usage: Usage, price: Price): number {
  const fresh = usage.input - usage.cached - usage.cacheWritten;
  const millionths =
    fresh * price.input +
    usage.cached * price.cached +
    usage.cacheWritten * price.cacheWritten +
    usage.output * price.output;
  return millionths / 1e6;
}
