import type { EpisodeEvent, RecordedEvent } from "../../src/domain/episode.ts";

type Rewrite = (text: string) => string;

/**
 * What an episode's events say when it does not matter who recorded them and when: without the
 * marks of processes, and with a check that was begun again counted once. `rewrite` takes out of
 * their JSON what else may differ, such as places.
 */
export function comparable(
  events: readonly RecordedEvent[],
  rewrite: Rewrite = (text) => text,
): readonly EpisodeEvent[] {
  const told = events.filter(({ type }) => type !== "resume");
  const once = told.filter(({ type }, at) => type !== "check" || told[at + 1]?.type !== "check");
  return JSON.parse(rewrite(JSON.stringify(once.map(withoutProcess))));
}

function withoutProcess({ seq: _seq, at: _at, ...event }: RecordedEvent) {
  return "seconds" in event ? { ...event, seconds: 0 } : event;
}

/** The events as the loop made them. */
export const bare = (events: readonly RecordedEvent[]): readonly EpisodeEvent[] =>
  events.map(({ run: _run, seq: _seq, at: _at, ...event }) => event as EpisodeEvent);

export const repliesIn = (events: readonly EpisodeEvent[]): number =>
  events.filter(({ type }) => type === "reply").length;
