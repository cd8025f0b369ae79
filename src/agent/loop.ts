import type { Clock } from "../domain/clock.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Environment } from "../domain/environment.ts";
import type { EpisodeEvent, Observation } from "../domain/episode.ts";
import type { Message } from "../domain/message.ts";
import type { Model } from "../domain/model.ts";
import { Advisor, wantsAdvice } from "./advisor.ts";
import { ask } from "./ask.ts";
import { decompose, decompositionQuestion } from "./decompose.ts";
import { EpisodeLog } from "./episode-log.ts";
import type { Grounding } from "./grounding/grounding.ts";
import { nextCallCost, type Reached, reachedLimit } from "./limits.ts";
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
  /** As its author wrote it, for the planner. */
  readonly issue: string;
  /** The repository's files at the start, relative to its top. */
  readonly files: readonly string[];
  /** Evidence from the environment; left out or null: none is taken. */
  readonly grounding?: Grounding | null;
  /** The opening of the conversation. */
  readonly prompts: { readonly system: string; readonly task: string };
  /** Makes events durable before it resolves, and shows them to whoever watches. */
  readonly record: (events: readonly EpisodeEvent[]) => Promise<void>;
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
  const log = new EpisodeLog(parts.clock, parts.record);
  const advisor = wantsAdvice(parts.config) ? await engage(parts, log) : null;
  await log.record({ type: "prompt", ...parts.prompts });
  let end: LoopEnd | null = null;
  while (end === null) {
    end = limitReached(parts, log, log.unseen) ?? (await takeTurn(parts, log, advisor));
  }
  return end;
}

/** The substrate for this episode, with the plan that the model made of the issue. */
async function engage(parts: LoopParts, log: EpisodeLog): Promise<Advisor> {
  const { config, issue, files, environment, grounding = null } = parts;
  await log.record({ type: "listing", files });
  const question = decompositionQuestion(issue, config.planner.issueChars);
  const asks = config.planner.on && limitReached(parts, log, question) === null;
  const decomposition = asks ? await decompose(parts, question, log) : null;
  const { workdir } = environment;
  return new Advisor({ config, issue, files, decomposition, grounding, workdir });
}

/** `unseen`: what the next prompt holds beyond the newest one that the model has answered. */
function limitReached(
  { config, clock, model }: LoopParts,
  { spent, startedAt }: EpisodeLog,
  unseen: readonly Message[],
): Reached | null {
  const { maxOutputTokens } = config.model;
  const next = model.price && nextCallCost(spent, unseen, maxOutputTokens, model.price);
  return reachedLimit(config.agent, spent, (clock.now() - startedAt) / 1000, next);
}

/** One reply and what it asks for. Returns how the episode ended, or null to go on. */
async function takeTurn(
  parts: LoopParts,
  log: EpisodeLog,
  advisor: Advisor | null,
): Promise<LoopEnd | null> {
  const step = log.spent.steps + 1;
  const { reply, event } = await ask(parts, {
    step,
    purpose: "act",
    messages: log.messages,
    tools: [bashTool],
    onRetry: (retry) => log.record(retry),
  });
  const said = { step, thought: reply.message.content };
  const turn = readTurn(reply);
  if (turn.type === "format_error") {
    const advice = advisor?.afterFormatError(said, turn.answers.length) ?? [];
    await log.record(event, { ...turn, step }, ...advice);
    return null;
  }
  let pending = [event];
  for (const [index, command] of turn.commands.entries()) {
    await log.record(...pending, { type: "command", step, ...command });
    pending = [];
    const { observation, submission } = await carryOut(parts, command);
    const more = index < turn.commands.length - 1;
    if (advisor) {
      await advisor.afterCall({ ...said, command: command.command, observation, more }, log);
    } else {
      await log.record({ type: "observation", step, ...observation });
    }
    if (submission) {
      await log.record({
        type: "submission",
        step,
        text: Buffer.from(submission).toString("utf8"),
      });
      return { status: "submitted", reason: `submitted at step ${step}`, submission };
    }
    if (parts.signal.aborted) return interrupted;
  }
  return null;
}

/** Runs a command, if the user lets it, and reads what came of it. */
async function carryOut(
  { environment, config, signal, approve }: LoopParts,
  { callId, command }: Command,
): Promise<{ readonly observation: Observation; readonly submission: Uint8Array | null }> {
  if (!(await approve(command))) return { observation: refused(callId), submission: null };
  const timeoutSec = config.environment.commandTimeoutSec;
  const result = await environment.execute(command, { timeoutSec, signal });
  const observation = observe(callId, result, { ...config.agent, timeoutSec });
  return { observation, submission: await submissionOf(result, environment) };
}
