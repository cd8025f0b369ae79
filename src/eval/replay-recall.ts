import { z } from "zod";
import type { Replay, ReplayedTurn } from "./replay.ts";
import { bm25 } from "./replay-bm25.ts";
import { readsOf } from "./replay-line.ts";
import { type Share, shareOf } from "./replay-share.ts";

/** A step that reads a file again which was last read a while ago. */
export const RevisitEvent = z.object({
  instance_id: z.string(),
  step: z.int().positive(),
  file: z.string(),
});
export type RevisitEvent = z.infer<typeof RevisitEvent>;

/** How many turns are looked at, and how many before the revisit are in plain sight anyway. */
const first = 4;
const recentTurns = 3;

/** What a way of recalling names before a step: turns of the episode, the likeliest first. */
export type Ranking = (replay: Replay, step: number) => readonly number[];

/**
 * The share of revisits before which the file could have been recalled: one of the first four
 * turns that the ranking names, the three newest left out, had read it.
 */
export function recallAt4(
  events: readonly RevisitEvent[],
  replays: readonly Replay[],
  ranking: Ranking,
): Share {
  const byInstance = new Map(replays.map((replay) => [replay.instanceId, replay]));
  const cases = events.flatMap((event) => {
    const replay = byInstance.get(event.instance_id);
    return replay ? [isRecalled(event, replay, ranking)] : [];
  });
  return shareOf(cases.filter((hit) => hit).length, cases.length);
}

function isRecalled({ step, file }: RevisitEvent, replay: Replay, ranking: Ranking): boolean {
  const named = [...new Set(ranking(replay, step))].filter((turn) => isOlder(turn, step));
  return named.slice(0, first).some((turn) => {
    const found = replay.turns[turn - 1];
    return found !== undefined && readsOf(found).includes(file);
  });
}

function isOlder(turn: number, step: number): boolean {
  return turn > 0 && turn < step - recentTurns;
}

/** What the substrate retrieved at the end of the turn before, whether or not it was shown. */
export const retrievedTurns: Ranking = ({ turns, end }, step) => {
  const turnOf = new Map(end.memory?.nodes.map(({ id, turn }) => [id, turn]));
  const last = turns.findLast((turn) => turn.step < step && hasRun(turn));
  return last?.advice.at(-1)?.retrieved.map((id) => turnOf.get(id) ?? 0) ?? [];
};

/** The newest first. */
export const newestTurns: Ranking = ({ turns }, step) =>
  turns
    .filter((turn) => turn.step < step && hasRun(turn))
    .map((turn) => turn.step)
    .toReversed();

/** Results by BM25 on the text. */
export const bm25Turns: Ranking = ({ end }, step) => {
  const nodes = end.memory?.nodes ?? [];
  const task = nodes.find(({ role }) => role === "user")?.view ?? "";
  const results = nodes.filter(({ role, turn }) => role === "tool" && isOlder(turn, step));
  const scores = bm25(
    task,
    results.map(({ view }) => view),
  );
  return results
    .map(({ turn }, index) => ({ turn, score: scores[index] ?? 0 }))
    .sort((one, other) => other.score - one.score)
    .map(({ turn }) => turn);
};

function hasRun({ rejected, advice }: ReplayedTurn): boolean {
  return !rejected && advice.at(-1)?.action !== null;
}
