import type { Clock } from "../domain/clock.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { EpisodeEvent } from "../domain/episode.ts";
import type { Message, ToolSchema } from "../domain/message.ts";
import {
  costOf,
  type Model,
  type ModelReply,
  type ModelRequest,
  type Purpose,
  type Retry,
} from "../domain/model.ts";

export interface Asking {
  readonly model: Model;
  readonly config: RunConfig;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly redact?: <T>(value: T) => T;
}

export interface Question {
  readonly step: number;
  readonly purpose: Purpose;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  /** Told of a retry before the wait. */
  readonly onRetry: (event: EpisodeEvent) => Promise<void>;
}

type ReplyEvent = Extract<EpisodeEvent, { type: "reply" }>;

/** One model call: the reply, and the event that records it without secrets. Rejects as the model does. */
export function ask(
  asking: Asking,
  { step, purpose, messages, tools, onRetry }: Question,
): Promise<Answer> {
  const { seed, model } = asking.config;
  const { temperature, maxOutputTokens } = model;
  const request = {
    purpose,
    messages: [...messages],
    tools,
    maxOutputTokens,
    seed,
    ...(temperature === null ? {} : { temperature }),
  };
  return put(asking, { step, request, onRetry });
}

export interface Answer {
  readonly reply: ModelReply;
  readonly event: ReplyEvent;
}

/** The same for a request as it stands. */
export async function put(
  { model, clock, signal, redact = (value) => value }: Omit<Asking, "config">,
  {
    step,
    request,
    onRetry,
  }: Pick<Question, "step" | "onRetry"> & { readonly request: ModelRequest },
): Promise<Answer> {
  const startedAt = clock.now();
  const { purpose } = request;
  const reply = await model.complete(request, {
    signal,
    onRetry: (retry: Retry) => onRetry({ type: "retry", purpose, ...retry }),
  });
  const { usage, stop } = reply;
  const message = redact(reply.message);
  const cost = model.price && costOf(usage, model.price);
  const seconds = (clock.now() - startedAt) / 1000;
  return { reply, event: { type: "reply", step, purpose, message, usage, cost, stop, seconds } };
}
