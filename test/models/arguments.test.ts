import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseObject, readArguments } from "../../src/models/arguments.ts";

const notJson = "The call's arguments are not valid JSON.";
const notObject = "The call's arguments are not a JSON object.";

describe("readArguments", () => {
  it.each([
    ["unescaped quotes", '{"command": "echo "hi""}', notJson],
    ["no JSON at all", 'command = "ls"', notJson],
    ["nothing", "", "The call has no arguments."],
    ["white space", " \n", "The call has no arguments."],
    ["half an object", '{"command": "py', notJson],
    ["a list", '["ls"]', notObject],
    ["null", "null", notObject],
    ["a number", "7", notObject],
    ["a list inside a string", '"[1]"', notObject],
  ])("calls %s malformed and keeps it as it came", (_, raw, malformed) => {
    expect(readArguments(raw)).toEqual({ input: { unparsed: raw }, malformed });
  });

  it.each([
    ["another key", '{"cmd":"ls"}', { cmd: "ls" }],
    ["a list as the command", '{"command":["ls","-l"]}', { command: ["ls", "-l"] }],
    ["an empty object", "{}", {}],
  ])("leaves %s to whoever knows the tool", (_, raw, input) => {
    expect(readArguments(raw)).toEqual({ input });
  });

  it.each([
    ["JSON inside a string", '"{\\"command\\":\\"ls\\"}"', { command: "ls" }],
    ["a raw newline inside a string", '{"command":"a\nb\\n"}', { command: "a\nb\n" }],
    ["a raw tab and return", '{"command":"a\tb\r"}', { command: "a\tb\r" }],
    ["a raw escape character", '{"command":"\u001b[0m"}', { command: "\u001b[0m" }],
    ["a raw newline after an escaped quote", '{"command":"\\"a\n\\""}', { command: '"a\n"' }],
  ])("repairs %s", (_, raw, input) => {
    expect(readArguments(raw)).toEqual({ input });
  });

  it("reads back every object as it was, and any text without throwing", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const plain = JSON.parse(JSON.stringify(object));
        expect(parseObject(JSON.stringify(object, null, 2))).toEqual(plain);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (raw) => {
        const { input, malformed } = readArguments(raw);
        expect(JSON.parse(JSON.stringify(input))).toBeTypeOf("object");
        expect(malformed !== undefined).toBe(parseObject(raw) === null);
      }),
    );
  });
});
