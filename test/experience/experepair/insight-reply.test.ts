import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJsonReply } from "../../../src/domain/json-reply.ts";
import { InsightChanges } from "../../../src/experience/experepair/insight-reply.ts";

function read(reply: string): unknown {
  const found = readJsonReply(InsightChanges, reply);
  return found.ok ? found.value : found.problem;
}

const add = { operation: "ADD", number: 0, experience: "x" };

describe("InsightChanges", () => {
  it.each([
    ["as asked for", JSON.stringify({ tester: [add], coder: [] }), { tester: [add], coder: [] }],
    ["one list alone", '{"coder": []}', { tester: [], coder: [] }],
    [
      "in a fence, small letters, a number as text",
      '```json\n{"tester": [{"operation": "edit", "number": "2", "experience": "y"}]}\n```',
      { tester: [{ operation: "EDIT", number: 2, experience: "y" }], coder: [] },
    ],
    [
      "each change is judged by itself",
      '{"coder": [{"operation": "DROP TABLE"}, 7, null, {"operation": "REMOVE", "number": 1}]}',
      { tester: [], coder: [{ operation: "REMOVE", number: 1, experience: "" }] },
    ],
    ["empty", "", "it holds no JSON object"],
    ["prose", "I would keep them as they are.", "it holds no JSON object"],
    ["another shape", '{"insights": ["x"]}', 'expected the keys "tester" and "coder"'],
    ["no list", '{"tester": "ADD x"}', "tester: Invalid input: expected array, received string"],
    [
      "a flood",
      JSON.stringify({ tester: new Array(1000).fill(add) }),
      'expected the keys "tester" and "coder"',
    ],
    ["a prototype", '{"__proto__": {"tester": []}}', { tester: [], coder: [] }],
  ])("%s", (_, reply, expected) => {
    expect(read(reply)).toEqual(expected);
  });

  it("never throws, whatever the reply", () => {
    fc.assert(fc.property(fc.string(), (reply) => void read(reply)));
    fc.assert(fc.property(fc.json(), (reply) => void read(reply)));
  });
});
