import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readJsonReply } from "../../src/domain/json-reply.ts";

const Answer = z.object({ reason: z.string(), score: z.number().optional() });

const read = (reply: string) => {
  const found = readJsonReply(Answer, reply);
  return found.ok ? found.value : found.problem;
};

describe("readJsonReply", () => {
  it.each([
    ["as it should be", '{"reason": "a", "score": 3}', { reason: "a", score: 3 }],
    ["fenced", 'Here:\n```json\n{"reason": "a"}\n```\nDone.', { reason: "a" }],
    [
      "fenced, cut before the end",
      '```json\n{"reason": "a", "score": 1',
      { reason: "a", score: 1 },
    ],
    ["prose around", 'I think {maybe} this: {"reason": "a"} is right.', { reason: "a" }],
    ["single quotes", "{'reason': 'it isn't', 'score': -7}", { reason: "it isn't", score: -7 }],
    ["bare keys and Python", "{reason: 'a', score: 4, other: None}", { reason: "a", score: 4 }],
    ["commas too many", '{"reason": "a",, "score": 2,}', { reason: "a", score: 2 }],
    ["a comma too few", '{"reason": "a" "score": 2}', { reason: "a", score: 2 }],
    ["a raw line break", '{"reason": "a\nb"}', { reason: "a\nb" }],
    ["bare quotes within", '{"reason": "say "hi" to it"}', { reason: 'say "hi" to it' }],
    ["comments", '{"reason": "a", // why\n "score": 2}', { reason: "a", score: 2 }],
    ["an end that is missing", '{"reason": "cut of', { reason: "cut of" }],
    ["escapes in broken JSON", "{'reason': 'a\\nb \\u00e9'}", { reason: "a\nb é" }],
    ["a second object that fits", '{"x": 1}\n{"reason": "a"}', { reason: "a" }],
  ])("reads a reply that is %s", (_, reply, expected) => {
    expect(read(reply)).toEqual(expected);
  });

  it.each([
    ["", "it holds no JSON object"],
    ["I cannot say.", "it holds no JSON object"],
    ['{"reason": 4}', "reason: Invalid input: expected string, received number"],
    ["[".repeat(100_000), "it holds no JSON object"],
  ])("says what is wrong with %.20s", (reply, problem) => {
    expect(read(reply)).toBe(problem);
  });

  it("is not drawn into deep nesting", () => {
    expect(read('{"a":'.repeat(40_000))).toMatch(/reason/);
  });

  it("never throws and always ends", () => {
    const noise = fc.string({ unit: fc.constantFrom(..."{}[]\"',:\\\n `/#ab1=") });
    fc.assert(fc.property(noise, (text) => typeof read(text) !== "undefined"));
  });

  it("reads every JSON object as JSON does", () => {
    const answers = fc.record({ reason: fc.string(), score: fc.integer() });
    fc.assert(
      fc.property(answers, (answer) => {
        expect(read(JSON.stringify(answer))).toEqual(answer);
      }),
    );
  });
});
