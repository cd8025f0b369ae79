import { describe, expect, it } from "vitest";
import { conversationOf, grow } from "../../src/domain/conversation.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import type { Message } from "../../src/domain/message.ts";
import {
  advised,
  callId,
  judged,
  observed,
  replied,
  saved,
  started,
} from "../agent/turn-events.ts";

const prompt: EpisodeEvent = { type: "prompt", system: "s", task: "t" };
const opening = [
  { role: "system", content: "s" },
  { role: "user", content: "t" },
];
const turn = replied(1, ["a", "b"]);
const past = [prompt, turn, started(1, 1, "a"), observed(1)];
const result = (call: number, content = `result of ${callId(1, call)}`) => {
  return { role: "tool", callId: callId(1, call), content };
};

describe("conversationOf", () => {
  it.each<{ name: string; event: EpisodeEvent; added: readonly unknown[] }>([
    { name: "a result", event: observed(1, 2), added: [result(2)] },
    {
      name: "the result of a call that was interrupted",
      event: observed(1, 2, { interrupted: true }),
      added: [{ ...result(2), isError: true }],
    },
    {
      name: "a call that was not run",
      event: { type: "skipped", step: 1, callId: callId(1, 2), content: "not run" },
      added: [{ ...result(2, "not run"), isError: true }],
    },
    { name: "a plan", event: { ...replied(1, "x"), purpose: "decompose" }, added: [] },
    { name: "a saved state", event: saved(1, "t"), added: [] },
    {
      name: "a process that goes on",
      event: {
        type: "resume",
        version: "0",
        base: { tree: "t", commit: null, store: "/s" },
        rebuilt: true,
        limits: {},
      },
      added: [],
    },
    {
      name: "answers to a reply that was refused",
      event: {
        type: "format_error",
        step: 2,
        kind: "malformed",
        answers: [
          { callId: callId(2), content: "bad" },
          { callId: null, content: "none" },
        ],
      },
      added: [
        { role: "tool", callId: callId(2), content: "bad", isError: true },
        { role: "user", content: "none" },
      ],
    },
  ])("adds for $name", ({ event, added }) => {
    const before = [...opening, turn.message, result(1)];
    expect(conversationOf([...past, event])).toEqual([...before, ...added]);
  });

  it("puts what is found, advised and remarked at the end of the newest result, in order", () => {
    const events: readonly EpisodeEvent[] = [
      ...past,
      { ...judged(1, "pass"), note: "it passes" },
      { ...advised(1), block: "look there" },
      { type: "remark", about: "limit", step: 1, callId: callId(1), text: "hurry" },
    ];
    const [, , , newest] = conversationOf(events);
    expect(newest?.content).toBe("result of call-1-1\n\nit passes\n\nlook there\n\nhurry");
  });

  it("appends nothing to a result that is not the newest message", () => {
    const late = [...past, observed(1, 2), { ...advised(1, 1), block: "late" }];
    expect(conversationOf(late).map(({ content }) => content)).not.toContain(
      expect.stringContaining("late"),
    );
  });

  it("changes no message that was handed out", () => {
    const messages: Message[] = [];
    for (const event of past) grow(messages, event);
    const newest = messages.at(-1);
    grow(messages, { ...advised(1), block: "look there" });
    expect(newest?.content).toBe("result of call-1-1");
    expect(messages.at(-1)?.content).toContain("look there");
  });
});
