import type { Clock } from "../domain/clock.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import { messagesOf } from "../domain/conversation.ts";
import type { Environment } from "../domain/environment.ts";
import type { EpisodeEvent } from "../domain/episode.ts";
import type { Message } from "../domain/message.ts";
import {
  costOf,
  type Model,
  type ModelReply,
  type ModelRequest,
  type Retry,
} from "../domain/model.ts";
import { nextCallCost, nothingSpent, type Reached, reachedLimit, spend } from "./limits.ts";
import { observe, refused } from "./observation.ts";
import { submissionOf } from "./submission.ts";
import { bashTool, type Command, readTurn } from "./tools.ts";

export interface LoopParts {
  readonly model: Model;
  readonly environment: Environment;
  readonly config: RunConfig;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Asked before each command; false refuses it, and the model is told. */
  readonly approve: (command: string) => Promise<boolean>;
  /** The opening of the conversation. */
  readonly prompts: { readonly system: string; readonly task: string };
  /** Makes events durable before it returns, and shows them to whoever watches. */
  readonly record: (events: readonly EpisodeEvent[]) => void;
}

const interrupted: Reached = { status: "interrupted", reason: "interrupted by the user" };

/** How the loop ended: a limit, or a submission with its bytes. */
export type LoopEnd = Reached & { readonly submission?: Uint8Array };

/**
 * The observe-act loop: the model asks for commands, each is run and shown to it, until it submits
 * or a limit stands in the way. Every event is recorded before the next thing that costs money or
 * cannot be undone. Rejects with what the ports reject with.
 */
export async function runLoop(parts: LoopParts): Promise<LoopEnd> {
  const log = new EpisodeLog(parts);
  log.record({ type: "prompt", ...parts.prompts });
  let end: LoopEnd | null = null;
  while (end === null) end = limitReached(parts, log) ?? (await takeTurn(parts, log));
  return end;
}

/** The conversation and what it has cost so far, both grown from events alone. */
class EpisodeLog {
  readonly startedAt: number;
  readonly messages: Message[] = [];
  spent = nothingSpent;
  readonly #write: LoopParts["record"];

  constructor({ clock, record }: LoopParts) {
    this.startedAt = clock.now();
    this.#write = record;
  }

  record(...events: readonly EpisodeEvent[]): void {
    this.#write(events);
    this.messages.push(...events.flatMap(messagesOf));
    this.spent = events.reduce(spend, this.spent);
  }
}

function limitReached({ config, clock, model }: LoopParts, log: EpisodeLog): Reached | null {
  const { messages, spent, startedAt } = log;
  const unseen = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  const { maxOutputTokens } = config.model;
  const next = model.price && nextCallCost(spent, unseen, maxOutputTokens, model.price);
  return reachedLimit(config.agent, spent, (clock.now() - startedAt) / 1000, next);
}

/** One reply and what it asks for. Returns how the episode ended, or null to go on. */
async function takeTurn(parts: LoopParts, log: EpisodeLog): Promise<LoopEnd | null> {
  const step = log.spent.steps + 1;
  const { reply, event } = await act(parts, step, log);
  const turn = readTurn(reply);
  if (turn.type === "format_error") {
    log.record(event, { ...turn, step });
    return null;
  }
  let pending = [event];
  for (const command of turn.commands) {
    log.record(...pending, { type: "command", step, ...command });
    pending = [];
    const end = await runCommand(parts, log, step, command);
    if (end) return end;
  }
  return null;
}

async function runCommand(
  { environment, config, signal, approve }: LoopParts,
  log: EpisodeLog,
  step: number,
  { callId, command }: Command,
): Promise<LoopEnd | null> {
  if (!(await approve(command))) {
    log.record({ type: "observation", step, ...refused(callId) });
    return signal.aborted ? interrupted : null;
  }
  const timeoutSec = config.environment.commandTimeoutSec;
  const result = await environment.execute(command, { timeoutSec, signal });
  const observation = observe(callId, result, { ...config.agent, timeoutSec });
  log.record({ type: "observation", step, ...observation });
  const submission = await submissionOf(result, environment);
  if (submission) {
    log.record({ type: "submission", step, text: Buffer.from(submission).toString("utf8") });
    return { status: "submitted", reason: `submitted at step ${step}`, submission };
  }
  return signal.aborted ? interrupted : null;
}

/** One model call, as a reply and the event that records it. */
async function act(
  { model, config, clock, signal }: LoopParts,
  step: number,
  log: EpisodeLog,
): Promise<{ reply: ModelReply; event: EpisodeEvent }> {
  const purpose = "act";
  const startedAt = clock.now();
  const { temperature, maxOutputTokens } = config.model;
  const request: ModelRequest = {
    purpose,
    messages: [...log.messages],
    tools: [bashTool],
    maxOutputTokens,
    seed: config.seed,
    ...(temperature === null ? {} : { temperature }),
  };
  const onRetry = (retry: Retry) => log.record({ type: "retry", purpose, ...retry });
  const reply = await model.complete(request, { signal, onRetry });
  const { message, usage, stop } = reply;
  const cost = model.price && costOf(usage, model.price);
  const seconds = (clock.now() - startedAt) / 1000;
  return { reply, event: { type: "reply", step, purpose, message, usage, cost, stop, seconds } };
}
