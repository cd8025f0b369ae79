import type { EpisodeEvent, Observation } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Advisor, Turn } from "./advisor.ts";
import { ask } from "./ask.ts";
import { compaction } from "./compact.ts";
import { consult, type Decision } from "./consult.ts";
import type { EpisodeLog } from "./episode-log.ts";
import type { Reached } from "./limits.ts";
import type { LoopParts } from "./loop.ts";
import { observe, turnedDown } from "./observation.ts";
import { submissionOf } from "./submission.ts";
import { bashTool, type Command, readTurn } from "./tools.ts";

/** How the loop ended: a limit, or a submission with its bytes. */
export type LoopEnd = Reached & { readonly submission?: Uint8Array };

/** Who takes part in a turn. */
export interface Seats {
  readonly parts: LoopParts;
  readonly log: EpisodeLog;
  /** null: nothing of the substrate is on. */
  readonly advisor: Advisor | null;
}

/** Commands of one reply that are to be carried out. */
export interface Work extends Turn {
  readonly commands: readonly Command[];
  /** So many of them are done. */
  readonly done: number;
  /** The reply, unless it is recorded already. */
  readonly said: readonly EpisodeEvent[];
}

const interrupted: Reached = { status: "interrupted", reason: "interrupted by the user" };

export const submitted = (step: number, submission: Uint8Array): LoopEnd => ({
  status: "submitted",
  reason: `submitted at step ${step}`,
  submission,
});

/** One reply and what it asks for. Returns how the episode ended, or null to go on. */
export async function takeTurn(seats: Seats): Promise<LoopEnd | null> {
  const { parts, log, advisor } = seats;
  const step = log.spent.steps + 1;
  const { reply, event } = await withRoom(seats, step, () =>
    ask(parts, {
      step,
      purpose: "act",
      messages: log.messages,
      tools: [bashTool],
      onRetry: (retry) => log.record(retry),
    }),
  );
  const turn = readTurn(reply);
  const said = { step, thought: event.message.content };
  if (turn.type === "format_error") {
    const advice = advisor?.afterFormatError(said, turn.answers.length) ?? [];
    await log.record(event, { ...turn, step }, ...advice);
    return null;
  }
  return carryOut(seats, { ...said, commands: turn.commands, done: 0, said: [event] });
}

/** Asks again with less where the context is full, if the user wants that, until nothing is left to give. */
async function withRoom<T>(
  { parts: { config }, log }: Seats,
  step: number,
  asking: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await asking();
    } catch (error) {
      const full = error instanceof PmcoderError && error.code === "context_exhausted";
      if (!full || config.agent.overflow === "end") throw error;
      const { compactShare, compactKeepTurns: keepTurns } = config.agent;
      const whole = log.messages.reduce((sum, { content }) => sum + content.length, 0);
      const found = compaction(log.messages, { chars: whole * compactShare, keepTurns });
      if (found === null) throw error;
      await log.record({ type: "compact", step, ...found });
    }
  }
}

/** Runs the commands of a reply one after the other, until one submits. */
export async function carryOut(seats: Seats, work: Work): Promise<LoopEnd | null> {
  const { parts } = seats;
  const { redact = (value) => value } = parts;
  const { step, thought, commands } = work;
  for (const [index, call] of commands.entries()) {
    if (index < work.done) continue;
    const unsaid = index === work.done ? work.said : [];
    const { submission, ...done } = await carryOutOne(seats, { step, thought, ...call }, unsaid);
    const observation = redact(done.observation);
    const seen: EpisodeEvent[] = [{ type: "observation", step, ...observation }];
    if (submission) seen.push(submissionEvent(step, submission, redact));
    const { callId } = call;
    const command = redact(done.command);
    const more = index < commands.length - 1;
    await tell(seats, { step, thought, callId, command, observation, more }, seen);
    if (submission) return submitted(step, submission);
    if (parts.signal.aborted) return interrupted;
  }
  return null;
}

/** Records and runs a call as the user lets it run. `unsaid`: what is to be recorded before it. */
async function carryOutOne(
  seats: Seats,
  call: Turn & Command,
  unsaid: readonly EpisodeEvent[],
): Promise<Done & Pick<Command, "command">> {
  const { parts, log } = seats;
  const { step, callId } = call;
  const { decision, note, unrecorded } = await consult(seats, call, unsaid);
  const command = decision.type === "run" ? decision.command : call.command;
  const noted = note === null ? {} : { note };
  await log.record(...unrecorded, { type: "command", step, callId, command, ...noted });
  const { observation, submission } = await execute(parts, { callId, command }, decision);
  return { command, observation: withNote(observation, note), submission };
}

/** The text; and the bytes, where it does not give them. */
function submissionEvent(
  step: number,
  bytes: Uint8Array,
  redact: <T>(value: T) => T,
): EpisodeEvent {
  const plain = Buffer.from(bytes).toString("utf8");
  const text = redact(plain);
  const isExact = text !== plain || Buffer.from(plain).equals(bytes);
  const base64 = Buffer.from(bytes).toString("base64");
  return { type: "submission", step, text, ...(isExact ? {} : { base64 }) };
}

/** A call of a turn that was answered. */
interface Told extends Turn, Command {
  readonly observation: Observation;
  /** Further calls of this turn follow. */
  readonly more: boolean;
}

/**
 * Records what came of a call, the state that it left, and the substrate's word where there is one.
 * `seen`: the observation and what belongs to it, unless that is recorded already. Saving takes
 * time, so the observation of a command that may have taken longer is made sure of first.
 */
export async function tell(
  { parts: { snapshots }, log, advisor }: Seats,
  call: Told,
  seen: readonly EpisodeEvent[],
): Promise<void> {
  let unrecorded = seen;
  if (snapshots?.isDue) {
    await log.record(...unrecorded);
    unrecorded = await snapshots.after(call);
  }
  if (advisor) await advisor.afterCall(call, unrecorded, log);
  else await log.record(...unrecorded);
}

interface Done {
  readonly observation: Observation;
  readonly submission: Uint8Array | null;
}

/** What the user did stands where the model reads it, and not in what the command printed. */
function withNote(observation: Observation, note: string | null): Observation {
  return note === null
    ? observation
    : { ...observation, content: `${observation.content}\n${note}` };
}

/** Runs a command, if the user lets it, and reads what came of it. */
async function execute(
  { environment, config, signal }: LoopParts,
  { callId, command }: Command,
  { type }: Decision,
): Promise<Done> {
  if (type !== "run") return { observation: turnedDown(callId, type), submission: null };
  const timeoutSec = config.environment.commandTimeoutSec;
  const result = await environment.execute(command, { timeoutSec, signal });
  const observation = observe(callId, result, { ...config.agent, timeoutSec });
  return { observation, submission: await submissionOf(result, environment) };
}
