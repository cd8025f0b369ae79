import { describe, expect, it } from "vitest";
import { openTurn } from "../../src/agent/open-turn.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import {
  advised,
  callId,
  checking,
  judged,
  observed,
  replied,
  saved,
  started,
} from "./turn-events.ts";

const one = replied(1, "a");
const three = replied(1, ["a", "b", "c"]);
const prose = replied(1, { message: { role: "assistant", content: "Hm.", calls: [] } });
const plan: EpisodeEvent = { ...prose, step: 0, purpose: "decompose" };
const first = [three, started(1, 1, "a")];
const second = [...first, observed(1, 1), started(1, 2, "b")];
const cut = observed(1, 2, { interrupted: true });
const skip = (call: number): EpisodeEvent => {
  return { type: "skipped", step: 1, callId: callId(1, call), content: "" };
};
const end: EpisodeEvent = { type: "end", status: "interrupted", reason: "", seconds: 0 };

describe("openTurn", () => {
  it.each<{ name: string; events: readonly EpisodeEvent[] }>([
    { name: "nothing was said", events: [] },
    { name: "only the plan was made", events: [plan] },
    { name: "the reply held no call", events: [prose] },
    {
      name: "the only call was advised on",
      events: [one, started(1, 1, "a"), observed(1), advised(1)],
    },
    { name: "its state was saved", events: [one, started(1, 1, "a"), observed(1), saved(1, "t")] },
    {
      name: "the last calls were skipped",
      events: [...second, cut, skip(3)],
    },
  ])("has nothing to do when $name", ({ events }) => {
    expect(openTurn(events)).toBeNull();
  });

  it.each([
    { name: "before the first call", events: [three], answered: 0 },
    { name: "in the first call", events: first, answered: 0, inFlight: true, interrupted: true },
    { name: "in the second", events: second, answered: 1, inFlight: true, interrupted: true },
    { name: "after the first", events: second.slice(0, 3), answered: 1, unfinishedAt: 2 },
    {
      name: "after the first was saved",
      events: [...second.slice(0, 3), saved(1, "t")],
      answered: 1,
    },
    {
      name: "while the first was checked",
      events: [...second.slice(0, 3), saved(1, "t"), checking(1)],
      answered: 1,
      unfinishedAt: 2,
    },
    {
      name: "when that was judged",
      events: [...second.slice(0, 3), checking(1), judged(1, "pass")],
      answered: 1,
    },
    {
      name: "in a check that another process began again",
      events: [...second.slice(0, 3), checking(1), checking(1)],
      answered: 1,
      unfinishedAt: 2,
    },
    {
      name: "after a call that the user interrupted",
      events: [...second, cut, end],
      answered: 2,
      interrupted: true,
      unfinishedAt: 4,
    },
    {
      name: "between two answers to calls that were not run",
      events: [three, started(1, 1, "a"), observed(1, 1, { interrupted: true }), skip(2)],
      answered: 2,
      interrupted: true,
    },
    {
      name: "after the only call, of which nothing followed",
      events: [plan, one, started(1, 1, "a"), observed(1)],
      answered: 1,
      unfinishedAt: 3,
    },
  ])("says what is open $name", ({ name: _name, events, ...expected }) => {
    const rest = { inFlight: false, interrupted: false, unfinishedAt: null, submission: null };
    expect(openTurn(events)).toMatchObject({ step: 1, ...rest, ...expected });
  });

  it("goes by the newest turn", () => {
    const past = [one, started(1, 1, "a"), observed(1), advised(1)];
    const newest = [replied(2, "b"), started(2, 1, "b")];
    expect(openTurn([...past, ...newest])).toMatchObject({ step: 2, inFlight: true });
  });

  it.each([
    { text: "diff\n", bytes: Buffer.from("diff\n") },
    { text: "\ufffd", base64: "/w==", bytes: Buffer.from([255]) },
  ])("gives back what was submitted, byte for byte: $text", ({ bytes, ...submission }) => {
    const events: EpisodeEvent[] = [
      ...[one, started(1, 1, "a"), observed(1)],
      { type: "submission", step: 1, ...submission },
      advised(1),
    ];
    expect(openTurn(events)?.submission).toEqual(bytes);
  });
});
