import type { EpisodeEvent } from "../domain/episode.ts";
import type { Turn } from "./advisor.ts";
import { type Command, readTurn } from "./tools.ts";

/** What the end of a recorded part of a run leaves to be done before the next model call. */
export interface OpenTurn extends Turn {
  /** The calls of the newest reply, in order. */
  readonly commands: readonly Command[];
  /** So many of them are answered. */
  readonly answered: number;
  /** The next one was started, and nobody saw how it ended. */
  readonly inFlight: boolean;
  /** A call of this turn was interrupted: those after it are not run. */
  readonly interrupted: boolean;
  /** Of the turn's last observation, where nothing that follows it was recorded: in the events. */
  readonly unadvisedAt: number | null;
  /** What a call of this turn submitted: the loop is over. */
  readonly submission: string | null;
}

/** The newest turn that was not finished; null when the next thing to do is to ask the model. */
export function openTurn(events: readonly EpisodeEvent[]): OpenTurn | null {
  const start = events.findLastIndex(({ type, ...event }) => type === "reply" && isAct(event));
  const reply = events[start];
  if (reply?.type !== "reply") return null;
  const turn = readTurn(reply);
  if (turn.type === "format_error") return null;
  const { commands } = turn;
  const since = events.slice(start + 1);
  const observed = since.filter((event) => event.type === "observation");
  const answered = observed.length + since.filter(({ type }) => type === "skipped").length;
  const started = since.filter(({ type }) => type === "command").length;
  const submission = since.find((event) => event.type === "submission")?.text ?? null;
  const newest = observed.at(-1) ?? null;
  const isLast = newest !== null && newest.callId === commands.at(-1)?.callId;
  const advised = since.some(({ type }) => type === "advice");
  const unadvisedAt = isLast && !advised ? events.lastIndexOf(newest) : null;
  if (answered === commands.length && unadvisedAt === null && submission === null) return null;
  return {
    step: reply.step,
    thought: reply.message.content,
    commands,
    answered,
    inFlight: started > observed.length,
    interrupted: started > observed.length || observed.some((event) => event.interrupted),
    unadvisedAt,
    submission,
  };
}

const isAct = (event: object) => "purpose" in event && event.purpose === "act";
