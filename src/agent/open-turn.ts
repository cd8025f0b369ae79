import type { EpisodeEvent } from "../domain/episode.ts";
import type { Turn } from "./advisor.ts";
import { type Command, readTurn } from "./tools.ts";

type Of<Type extends EpisodeEvent["type"]> = Extract<EpisodeEvent, { type: Type }>;

/** What the end of a recorded part of a run leaves to be done before the next model call. */
export interface OpenTurn extends Turn {
  /** The calls of the newest reply, in order; those that were started as they were then run. */
  readonly commands: readonly (Command & { readonly note?: string })[];
  /** So many of them are answered. */
  readonly answered: number;
  /** The next one was started, and nobody saw how it ended. */
  readonly inFlight: boolean;
  /** A call of this turn was interrupted: those after it are not run. */
  readonly interrupted: boolean;
  /**
   * Where the newest observation stands in the events, if what follows from it was not recorded:
   * the state that was saved, what grounding found, the advice. Doing it again adds nothing twice.
   */
  readonly unfinishedAt: number | null;
  /** What a call of this turn submitted: the loop is over. */
  readonly submission: Uint8Array | null;
}

/** The newest turn that was not finished; null when the next thing to do is to ask the model. */
export function openTurn(events: readonly EpisodeEvent[]): OpenTurn | null {
  const start = events.findLastIndex((event) => event.type === "reply" && event.purpose === "act");
  const reply = events[start];
  if (reply?.type !== "reply") return null;
  const turn = readTurn(reply);
  if (turn.type === "format_error") return null;
  const since = events.slice(start + 1);
  const commands = turn.commands.map((call) => ({ ...call, ...startedAs(call, since) }));
  const count = (type: EpisodeEvent["type"]) => since.filter((event) => event.type === type).length;
  const observed = since.filter((event) => event.type === "observation");
  const answered = observed.length + count("skipped");
  const inFlight = count("command") > observed.length;
  const unfinished = !inFlight && isUnfinished(since);
  const submission = since.find((event) => event.type === "submission") ?? null;
  if (answered === commands.length && !unfinished && submission === null) return null;
  return {
    step: reply.step,
    thought: reply.message.content,
    commands,
    answered,
    inFlight,
    interrupted: inFlight || observed.some((event) => event.interrupted),
    unfinishedAt: unfinished ? events.findLastIndex(({ type }) => type === "observation") : null,
    submission: submission && bytesOf(submission),
  };
}

/** The user may have run another command in its place. */
function startedAs(
  { callId }: Command,
  since: readonly EpisodeEvent[],
): Partial<Pick<Of<"command">, "command" | "note">> {
  const started = since.find(
    (event): event is Of<"command"> => event.type === "command" && event.callId === callId,
  );
  if (started === undefined) return {};
  const { command, note } = started;
  return note === undefined ? { command } : { command, note };
}

/** One of them is recorded with or after all that follows from an observation, if anything does. */
const ends: readonly EpisodeEvent["type"][] = [
  "snapshot",
  "integrity",
  "verdict",
  "advice",
  "experience",
  "skipped",
  "remark",
];

/** `since`: the events after the reply. */
function isUnfinished(since: readonly EpisodeEvent[]): boolean {
  const types = since.map(({ type }) => type);
  const newest = types.lastIndexOf("observation");
  if (newest === -1) return false;
  if (types.lastIndexOf("check") > Math.max(newest, types.lastIndexOf("verdict"))) return true;
  return !types.slice(newest).some((type) => ends.includes(type));
}

const bytesOf = ({ text, base64 }: { readonly text: string; readonly base64?: string }) =>
  base64 === undefined ? Buffer.from(text) : Buffer.from(base64, "base64");
