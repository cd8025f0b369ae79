import type { Decide } from "../agent/consult.ts";
import { type EpisodeEnd, type EpisodeParts, runEpisode } from "../agent/episode.ts";
import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import { redactorOf } from "../domain/redact.ts";
import { secretsOf } from "../domain/secrets.ts";
import { pauses } from "../domain/site.ts";
import type { Summary } from "../trajectories/summary.ts";
import { type Kept, systemClock } from "./compose.ts";
import type { Place } from "./compose-place.ts";
import { type ExitCode, exitCodeOf } from "./exit-code.ts";
import type { Watcher } from "./progress.ts";
import { writeBeginning, writeEnd, writeWork } from "./run-outputs.ts";
import type { Interruption } from "./signals.ts";
import { isFinal } from "./standing.ts";
import { version } from "./version.ts";

export interface Outcome {
  readonly exitCode: ExitCode;
  readonly end: EpisodeEnd;
  readonly summary: Summary;
}

/** Everything that is open for an episode. */
export interface Stage {
  readonly kept: Kept;
  readonly place: Place;
  readonly watcher: Watcher;
  readonly interruption: Pick<Interruption, "signal" | "received">;
  /** What an earlier process of the run has recorded, and then what this one does. */
  readonly events: RecordedEvent[];
  /** The caller's environment, whose secrets no record keeps. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes a line that people must see. */
  readonly tell: (line: string) => void;
}

/** What the episode is about, beside the stage that it is performed on. */
export type Play = Omit<
  EpisodeParts,
  | "run"
  | "version"
  | "output"
  | "environment"
  | "clock"
  | "signal"
  | "record"
  | "redact"
  | "site"
  | "shelf"
  | "past"
  | "keep"
>;

/** Performs an episode and writes what it leaves. Rejects when the record cannot be written. */
export async function perform(stage: Stage, play: Play): Promise<Outcome> {
  const { kept, place, watcher, interruption, events, tell } = stage;
  const secrets = secretsOf({ ...stage.env, ...play.config.environment.env });
  const redact = redactorOf(secrets);
  const end = await keepingWork(stage, () =>
    runEpisode({
      ...play,
      run: kept.run,
      version,
      output: kept.outputs.folder,
      environment: place.environment,
      clock: systemClock,
      signal: interruption.signal,
      decide: play.decide && undisturbed(watcher, play.decide),
      redact,
      record: recorder(stage, redact),
      site: place.site,
      shelf: kept.shelf,
      past: [...events],
      keep: (work) => writeWork(kept.outputs, work),
    }),
  );
  if (end.uncollected) tell(place.keep());
  else if (pauses.includes(end.status) && hasWorked(events)) place.keep();
  else place.discard();
  const exitCode = exitCodeOf(end.status, interruption.received());
  const summary = await keepingWork(stage, () => writeEnd(kept.outputs, events, exitCode));
  if (isFinal(end.status)) kept.shelf.keepOnly([]);
  return { exitCode, end, summary };
}

/** Where no command ran, a copy made anew is as good. */
const hasWorked = (events: readonly RecordedEvent[]) =>
  events.some(({ type }) => type === "command");

/** The question stands alone on the screen. */
function undisturbed(watcher: Watcher, decide: Decide): Decide {
  return async (moment) => {
    const release = watcher.hold();
    try {
      return await decide(moment);
    } finally {
      release();
    }
  };
}

/** The journal first, then whoever watches. */
function recorder({ kept, watcher, events: all }: Stage, redact: <T>(value: T) => T) {
  const { run, journal, outputs } = kept;
  return async (events: readonly EpisodeEvent[]): Promise<void> => {
    const recorded = await journal.append(run, redact(events));
    all.push(...recorded);
    const first = recorded[0]?.type;
    if (first === "begin" || first === "resume") writeBeginning(outputs, all);
    for (const event of recorded) watcher.see(event);
  };
}

/** When the record cannot be written, work that was begun stays where it was done, and is named. */
async function keepingWork<T>({ place, events }: Stage, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PmcoderError) || error.code !== "storage") throw error;
    if (events.length === 0) throw error;
    throw new PmcoderError("storage", `${error.message}\n${place.keep()}`, { cause: error });
  }
}
