import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import { type ForeignEpisode, stepsOf, type Turn } from "../../src/trajectories/foreign.ts";
import { readTrajectories } from "../../src/trajectories/read-trajectories.ts";
import { names, textOf } from "./fixture-files.ts";

/**
 * A turn of a cut file: the same, but for results that the cut took. Whether a path is a folder is
 * known from the result alone, so the command is compared where there is one.
 */
function isPrefix(turn: Turn, whole: Turn | undefined, isLast: boolean): boolean {
  if (!isLast) return JSON.stringify(turn) === JSON.stringify(whole);
  return turn.calls.every(({ command, result }, n) => {
    const full = whole?.calls[n];
    if (result === null) return full !== undefined;
    return command === full?.command && result.exitCode === full.result?.exitCode;
  });
}

describe("a file that was cut off", () => {
  it.each(names)("%s gives its complete turns wherever it ends, or one clear error", (name) => {
    const text = textOf(name).trimEnd();
    const whole = readTrajectories(text, name);
    fc.assert(
      fc.property(fc.nat({ max: text.length - 2 }), (end) => {
        let episodes: readonly ForeignEpisode[];
        try {
          episodes = readTrajectories(text.slice(0, end), name);
        } catch (error) {
          return error instanceof PmcoderError && error.code === "usage";
        }
        const turns = episodes.flatMap((episode, at) =>
          episode.turns.map((turn) =>
            isPrefix(turn, whole[at]?.turns[turn.index - 1], turn === episode.turns.at(-1)),
          ),
        );
        return turns.every(Boolean);
      }),
      { numRuns: 300 },
    );
  });

  it.each(names)("%s loses at most the turn that was cut", (name) => {
    const text = textOf(name).trimEnd();
    const turns = (cut: string) =>
      readTrajectories(cut, name).reduce((sum, episode) => sum + episode.turns.length, 0);
    expect(turns(text.slice(0, -2))).toBeGreaterThanOrEqual(turns(text) - 1);
  });

  it("marks the episode and keeps the ones before it", () => {
    const text = textOf("openhands.jsonl");
    const episodes = readTrajectories(text.slice(0, text.indexOf("Count.") + 40), "cut.jsonl");
    expect(episodes.map(({ cut, turns }) => [cut, turns.length])).toEqual([
      [false, 6],
      [true, 2],
    ]);
  });
});

/** A JSON value with one of its parts, chosen by `at`, replaced. */
function damaged(value: unknown, at: number, by: unknown): unknown {
  let left = at;
  const walk = (part: unknown): unknown => {
    left -= 1;
    if (left === -1) return by;
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(value);
}

describe("a file that is not what it seems", () => {
  const reads = (text: string, name: string) => {
    try {
      return readTrajectories(text, name).every(
        ({ turns }) => turns.flatMap(stepsOf).length >= turns.length,
      );
    } catch (error) {
      return error instanceof PmcoderError && error.code === "usage";
    }
  };

  it.each(names)("%s with any part replaced is read or refused, never a crash", (name) => {
    const values = name.endsWith(".jsonl") ? textOf(name).trim().split("\n") : [textOf(name)];
    fc.assert(
      fc.property(fc.nat({ max: 400 }), fc.jsonValue(), (at, by) => {
        const text = values.map((value) => JSON.stringify(damaged(JSON.parse(value), at, by)));
        return reads(text.join("\n"), name);
      }),
      { numRuns: 200 },
    );
  });

  it.each(names)("%s with a part that cannot be made a text is read or refused", (name) => {
    const values = name.endsWith(".jsonl") ? textOf(name).trim().split("\n") : [textOf(name)];
    for (let at = 0; at < 400; at += 1) {
      const text = values.map((value) =>
        JSON.stringify(damaged(JSON.parse(value), at, [{ toString: 0, valueOf: 0 }])),
      );
      expect([at, reads(text.join("\n"), name)]).toEqual([at, true]);
    }
  });

  it("any text is read or refused, never a crash", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => reads(text, "x.json")));
  });
});
