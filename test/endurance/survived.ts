import { expect } from "vitest";
import { placeOf } from "../../src/agent/grounding/run-reproducer.ts";
import { rebuild } from "../../src/agent/rebuild.ts";
import type { EpisodeEvent, RecordedEvent } from "../../src/domain/episode.ts";
import { bare, comparable, repliesIn } from "./comparable.ts";
import type { Kill, Survived } from "./killed-run.ts";
import { isPlan, type PatientServer, turnsIn } from "./patient-server.ts";

/** What differs between two runs of the same: names of runs and folders, and the server's port. */
const places = (text: string): string =>
  text
    .replaceAll(/\/tmp\/pmcoder-kills-\w+/g, "/W")
    .replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}/g, "RUN")
    .replaceAll(/pmcoder-base\.\w+/g, "BASE")
    .replaceAll(/pmcoder-RUN-[0-9a-f]{6}[\w.-]*/g, "CONTAINER")
    .replaceAll(/127\.0\.0\.1:\d+/g, "SERVER");

/** Commands whose end nobody saw. */
export const cutOff = (events: readonly RecordedEvent[]) =>
  events.filter((event) => event.type === "observation" && event.output.includes("was kept)"));

const wasRebuilt = (events: readonly EpisodeEvent[]) =>
  events.some((event) => event.type === "resume" && event.rebuilt);

/**
 * Holds a run that was killed and taken up against one that was not: nothing that was recorded is
 * lost, nothing that was paid for is asked again but the call in flight, and the patch is the same;
 * outside commands so is everything else.
 */
export function expectSame(survived: Survived, whole: Survived, server: PatientServer): void {
  const { events, kills, patch, summary } = survived;
  expect(summary).toMatchObject({ exit_status: "submitted", exit_code: 0 });
  expect(patch).toBe(whole.patch);
  for (const kill of kills) expect(events.slice(0, kill.events.length)).toEqual(kill.events);
  for (const [at, kill] of kills.entries()) expectPaidOnce(kill, at + 1, server);
  expect(callsRepeated(survived, server)).toBeLessThanOrEqual(kills.length);
  if (cutOff(events).length === 0 && !wasRebuilt(events)) {
    expect(comparable(events, places)).toEqual(comparable(whole.events, places));
  }
  expectRebuilds(events);
}

export const callsRepeated = ({ events }: Pick<Survived, "events">, server: PatientServer) =>
  server.paid() - repliesIn(events);

/** Bytes of events that stood in the journal at a kill and do not any more, and of the patch. */
export function bytesLost({ events, kills, patch }: Survived, whole: Survived): number {
  const lost = kills.flatMap((kill) =>
    kill.events
      .map((event) => JSON.stringify(event))
      .filter((line, at) => line !== JSON.stringify(events[at])),
  );
  const missing = Math.max(0, whole.patch.length - patch.length);
  return lost.reduce((sum, line) => sum + Buffer.byteLength(line), missing);
}

/**
 * Each kill loses at most the call that was in flight; none is made again. A reply may go out, and
 * count, only after its reader was killed, so calls are held against all kills so far.
 */
function expectPaidOnce(kill: Kill, killsSoFar: number, server: PatientServer): void {
  expect(kill.paid - repliesIn(kill.events)).toBeLessThanOrEqual(killsSoFar);
  const replies = bare(kill.events).filter((event) => event.type === "reply");
  const acts = replies.filter(({ purpose }) => purpose === "act").length;
  const later = server.received.slice(kill.requests);
  for (const request of later) {
    if (isPlan(request)) expect(replies).toEqual([]);
    else expect(turnsIn(request)).toBeGreaterThanOrEqual(acts);
  }
}

/** The state that the record gives is the one that there was. */
function expectRebuilds(events: readonly RecordedEvent[]): void {
  const begun = events.find((event) => event.type === "begin");
  const newest = events.findLast((event) => event.type === "begin" || event.type === "resume");
  const script = begun?.reproducer;
  const rebuilt = rebuild(events, script && newest ? placeOf(script, newest.base.store) : null);
  const advice = bare(events).filter(({ type }) => type === "advice");
  expect(rebuilt?.advice).toEqual(advice);
}

/** No command ran more often than it was started, each at least once; the last lists them all. */
export function expectRunOnce(events: readonly RecordedEvent[]): void {
  const told = bare(events);
  const started = told.flatMap((event) => (event.type === "command" ? nameIn(event.command) : []));
  const listed = told.findLast(
    (event) => event.type === "observation" && /^log:/.test(event.output),
  );
  const log = listed?.type === "observation" ? listed.output.trim().split("\n").slice(1) : [];
  for (const name of new Set([...log, ...started])) {
    const times = (list: readonly string[]) => list.filter((one) => one === name).length;
    expect(times(log), name).toBeLessThanOrEqual(times(started));
    if (!wasRebuilt(events)) expect(times(log), name).toBeGreaterThanOrEqual(1);
  }
}

const nameIn = (command: string) => /echo (\w+) >> "\$LOG"/.exec(command)?.[1] ?? [];
