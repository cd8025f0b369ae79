import { describe, expect, it } from "vitest";
import { readTurn } from "../../src/agent/tools.ts";
import type { ToolCall } from "../../src/domain/message.ts";
import type { StopReason } from "../../src/domain/model.ts";

function turn(calls: readonly ToolCall[], stop: StopReason = "calls", content = "") {
  return readTurn({ message: { role: "assistant", content, calls }, stop });
}
const call = (input: Record<string, unknown>, more: Partial<ToolCall> = {}): ToolCall => ({
  id: "a",
  name: "bash",
  input,
  ...more,
});

describe("readTurn", () => {
  it("hands out commands in order", () => {
    const calls = [call({ command: "ls" }), call({ command: "pwd" }, { id: "b" })];
    expect(turn(calls)).toEqual({
      type: "commands",
      commands: [
        { callId: "a", command: "ls" },
        { callId: "b", command: "pwd" },
      ],
    });
  });

  it.each<{ name: string; calls: ToolCall[]; stop?: StopReason; kind: string }>([
    { name: "no call", calls: [], stop: "end", kind: "no_call" },
    { name: "a reply cut before any call", calls: [], stop: "length", kind: "cut" },
    { name: "a refusal", calls: [], stop: "refusal", kind: "refusal" },
    { name: "a wrong argument name", calls: [call({ cmd: "ls" })], kind: "malformed" },
    { name: "a list of words", calls: [call({ command: ["ls", "-l"] })], kind: "malformed" },
    { name: "an unknown tool", calls: [call({}, { name: "edit" })], kind: "unknown_tool" },
    { name: "text that is no JSON", calls: [call({}, { malformed: "Bad." })], kind: "malformed" },
    {
      name: "a call cut at the limit, however whole it looks",
      calls: [call({ command: "rm -rf b" }, { cut: true })],
      stop: "length",
      kind: "cut",
    },
  ])("answers $name as $kind and runs nothing", ({ calls, stop, kind }) => {
    expect(turn(calls, stop)).toMatchObject({ type: "format_error", kind });
  });

  it("runs nothing of a turn in which one call is unreadable, and answers each", () => {
    const calls = [call({ command: "ls" }), call({}, { id: "b" })];
    expect(turn(calls)).toMatchInlineSnapshot(`
      {
        "answers": [
          {
            "callId": "a",
            "content": "Not run: another call of this reply could not be read.",
          },
          {
            "callId": "b",
            "content": "Not run: the argument "command" is not a text. Expected a call of the tool bash with {"command": "..."}.",
          },
        ],
        "kind": "malformed",
        "type": "format_error",
      }
    `);
  });
});
