import { describe, expect, it } from "vitest";
import { bestOf, type Candidate, climb, noLadder } from "../../../src/agent/patch/ladder.ts";
import type { EpisodeEvent } from "../../../src/domain/episode.ts";
import { callId, judged, saved } from "../turn-events.ts";

const candidate = (step: number, known: Partial<Candidate> = {}): Candidate => {
  const made = { step, callId: callId(step), tree: `tree-${step}` };
  return { ...made, passes: false, parses: true, empty: false, ...known };
};

const integrity = (step: number, checked: readonly string[], broken: readonly string[]) => {
  const corrupt = broken.map((file) => ({ file, line: 1, message: "no" }));
  return { type: "integrity", step, callId: callId(step), checked, corrupt, note: null } as const;
};

const resumed = (tree: string): EpisodeEvent => {
  const base = { tree, commit: null, store: "/s" };
  return { type: "resume", version: "0", base, rebuilt: true, limits: {} };
};

const climbed = (...events: readonly EpisodeEvent[]) => events.reduce(climb, noLadder);
const best = (...events: readonly EpisodeEvent[]) => bestOf(climbed(...events))?.tree ?? null;

describe("bestOf", () => {
  const passing = { passes: true, parses: false };
  const parsing = { passes: false, parses: true };
  const broken = { passes: false, parses: false };
  const empty = { passes: true, parses: true, empty: true };
  it.each([
    { earlier: passing, newest: parsing, chosen: 1 },
    { earlier: parsing, newest: passing, chosen: 2 },
    { earlier: parsing, newest: broken, chosen: 1 },
    { earlier: broken, newest: parsing, chosen: 2 },
    { earlier: broken, newest: empty, chosen: 1 },
    { earlier: empty, newest: broken, chosen: 2 },
    { earlier: passing, newest: passing, chosen: 2 },
    { earlier: empty, newest: empty, chosen: 2 },
  ])("takes state $chosen of $earlier and $newest", ({ earlier, newest, chosen }) => {
    const two = { earlier: candidate(1, earlier), newest: candidate(2, newest) };
    expect(bestOf(two)?.step).toBe(chosen);
  });

  it("takes the only one, or none", () => {
    expect(bestOf({ earlier: candidate(1), newest: null })?.step).toBe(1);
    expect(bestOf({ earlier: null, newest: null })).toBeNull();
  });
});

describe("the ladder of a run", () => {
  it("keeps the passing state above all that follow it", () => {
    const events = [saved(1, "a"), judged(1, "pass"), saved(2, "b"), judged(2, "fail")];
    expect(best(...events)).toBe("a");
    expect(best(...events, saved(3, "c"), judged(3, "pass"))).toBe("c");
  });

  it("counts a state as broken while any file that was edited does not parse", () => {
    const broken = [saved(1, "a"), saved(2, "b"), integrity(2, ["x.py"], ["x.py"])];
    expect(best(...broken)).toBe("a");
    expect(best(...broken, saved(3, "c"))).toBe("a");
    expect(best(...broken, saved(3, "c"), integrity(3, ["x.py"], []))).toBe("c");
  });

  it("prefers work to none", () => {
    expect(best(saved(1, "a"), saved(2, "base", 0))).toBe("a");
    expect(best(saved(1, "base", 0))).toBe("base");
  });

  it("holds a verdict against the state that the same call left, and no other", () => {
    expect(climbed(saved(1, "a"), judged(2, "pass")).newest).toEqual(candidate(1, { tree: "a" }));
    expect(climbed(judged(1, "pass"), saved(1, "a")).newest?.passes).toBe(false);
  });

  it("forgets the states of another base", () => {
    const first = [resumed("base"), saved(1, "a")];
    expect(best(...first, resumed("base"))).toBe("a");
    expect(best(...first, resumed("other"))).toBeNull();
    expect(best(...first, resumed("other"), saved(2, "b"), resumed("other"))).toBe("b");
  });
});
