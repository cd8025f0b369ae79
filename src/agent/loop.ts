import type { Experience } from "../domain/briefing.ts";
import type { Clock } from "../domain/clock.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Environment } from "../domain/environment.ts";
import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";
import type { Model } from "../domain/model.ts";
import { wantsAdvice } from "./advisor.ts";
import type { Decide } from "./consult.ts";
import { consultExperience, openExperience } from "./consult-experience.ts";
import { engage } from "./engage.ts";
import { EpisodeLog, type Resumption } from "./episode-log.ts";
import { finishTurn } from "./finish-turn.ts";
import type { Grounding } from "./grounding/grounding.ts";
import { limitReached } from "./limit-reached.ts";
import type { Base } from "./patch/base.ts";
import type { Snapshots } from "./patch/snapshots.ts";
import { type LoopEnd, type Seats, takeTurn } from "./turn.ts";
import { remark } from "./wrap-up.ts";

export interface LoopParts {
  readonly model: Model;
  readonly environment: Environment;
  readonly config: RunConfig;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Asked before each command; left out: all of them run as they are. */
  readonly decide?: Decide | undefined;
  /** As its author wrote it, for the planner. */
  readonly issue: string;
  /** The repository's files at the start, relative to its top. */
  readonly files: readonly string[];
  /** Evidence from the environment; left out or null: none is taken. */
  readonly grounding?: Grounding | null;
  /** Memories across issues; left out or null: none. */
  readonly experience?: Experience | null;
  /** Left out or null: the work stands in the environment alone. */
  readonly snapshots?: Snapshots | null;
  /** The opening of the conversation. */
  readonly prompts: { readonly system: string; readonly task: string };
  /** What an earlier process of this run has recorded, whole. */
  readonly past?: readonly RecordedEvent[];
  /** How this process differs from the one that recorded the past. */
  readonly resumed?: Resumption;
  /** Takes secrets out of a value of plain data, the same way each time; left out: none are known. */
  readonly redact?: <T>(value: T) => T;
  /** Makes events durable before it resolves, and shows them to whoever watches. */
  readonly record: (events: readonly EpisodeEvent[]) => Promise<void>;
}

/** What an episode gives to whatever solves its issue. */
export interface SolveParts extends LoopParts {
  readonly base: Base;
  /** The environment for scripts of our own, whose outputs nobody keeps. */
  readonly errands: Environment;
}

/** Works on the issue until it is done or a limit stands in the way; rejects as the ports do. */
export type Solve = (parts: SolveParts) => Promise<LoopEnd>;

/**
 * The observe-act loop: the model asks for commands, each is run and shown to it, until it submits
 * or a limit stands in the way. Every event is recorded before the next thing that costs money or
 * cannot be undone, so that another process can go on from any of them. Rejects with what the ports
 * reject with.
 */
export async function runLoop(parts: LoopParts): Promise<LoopEnd> {
  const log = new EpisodeLog(parts);
  if (parts.resumed) log.resume(parts.resumed);
  const advisor = wantsAdvice(parts.config) ? await engage(parts, log) : null;
  if (log.messages.length === 0) await log.record({ type: "prompt", ...parts.prompts });
  const seats: Seats = { parts, log, advisor };
  const experience = openExperience(parts, log);
  let end = await finishTurn(seats);
  while (end === null) {
    if (experience && limitReached(parts, log, log.unseen) === null) {
      await consultExperience(experience, log);
    }
    await remark(parts, log);
    end = limitReached(parts, log, log.unseen) ?? (await takeTurn(seats));
  }
  return end;
}
