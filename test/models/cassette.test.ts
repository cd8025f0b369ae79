import { describe, expect, it } from "vitest";
import type { AssistantMessage } from "../../src/domain/message.ts";
import type { ModelReply } from "../../src/domain/model.ts";
import {
  isCassette,
  matches,
  mayMatch,
  readCassette,
  recordingModel,
} from "../../src/models/cassette.ts";
import { readRecording, replayModel } from "../../src/models/replay.ts";
import { answered, calling, opening, requestOf } from "../contracts/model.ts";
import { scriptedModel } from "../scripted-model.ts";

const message: AssistantMessage = {
  role: "assistant",
  content: "Two lines\nand a \u2028 separator.",
  calls: [
    { id: "a", name: "bash", input: { command: "ls\n" } },
    { id: "b", name: "bash", input: { unparsed: "{" }, malformed: "The call has no arguments." },
    { id: "c", name: "bash", input: { unparsed: '{"com' }, cut: true },
  ],
  native: { provider: "anthropic", blocks: [{ type: "thinking", thinking: "a \n" }] },
};
const reply: ModelReply = {
  message,
  usage: { input: 10, cached: 4, cacheWritten: 2, output: 3 },
  stop: "length",
  model: "exact-name",
};

/** Records a short conversation about the issue "The sum is wrong." */
async function record(write: (line: string) => void): Promise<void> {
  const model = scriptedModel([reply, "ls", reply]);
  const recording = recordingModel(model, { write }, "The sum is wrong.", []);
  const first = await recording.complete(requestOf(opening), calling());
  await recording.complete({ ...requestOf(opening), purpose: "decompose" }, calling());
  await recording.complete(requestOf(answered(opening, first, ["x", "y", "z"])), calling());
}

describe("a recorded cassette", () => {
  it("gives every reply back as it was", async () => {
    const lines: string[] = [];
    await record((line) => lines.push(line));
    const text = lines.join("");
    expect([isCassette(text), lines.length]).toEqual([true, 4]);
    const model = replayModel(readRecording(text, "f"), "replay:f");
    const again = await model.complete(requestOf(opening), calling());
    expect(again).toEqual({ ...reply, model: "scripted:test" });
    const plan = { ...requestOf(opening), purpose: "decompose" } as const;
    expect((await model.complete(plan, calling())).message.calls).toEqual([
      { id: "call-2-1", name: "bash", input: { command: "ls" } },
    ]);
  });

  it("is written reply by reply, so that a killed run keeps what it has", async () => {
    const lines: string[] = [];
    const model = recordingModel(scriptedModel([reply]), { write: (l) => lines.push(l) }, "t", []);
    await model.complete(requestOf(opening), calling());
    expect(lines).toHaveLength(2);
    const failing = model.complete(requestOf(opening), calling());
    await expect(failing).rejects.toMatchObject({ code: "model_unavailable" });
    expect(readCassette(lines.join(""), "f").replies).toHaveLength(1);
  });

  it("holds no secret, and its thinking as it came", async () => {
    const thought = { type: "thinking", thinking: "hm \n", signature: "ghp_0123456789abcdefghij" };
    const said = { ...message, content: "The key is hunter2-hunter2." };
    const calls = [{ id: "a", name: "bash", input: { command: "login hunter2-hunter2" } }];
    const native = { provider: "anthropic", blocks: [thought] };
    const lines: string[] = [];
    const secrets = [{ name: "MY_KEY", value: "hunter2-hunter2" }];
    const model = scriptedModel([{ ...reply, message: { ...said, calls, native } }]);
    const recording = recordingModel(
      model,
      { write: (line) => lines.push(line) },
      "Why does hunter2-hunter2 fail?",
      secrets,
    );
    const given = await recording.complete(requestOf(opening), calling());
    expect(given.message.calls).toEqual(calls);
    const { task, replies } = readCassette(lines.join(""), "f");
    expect(lines.join("")).not.toContain("hunter2");
    expect(task).toBe("Why does [redacted:MY_KEY] fail?");
    expect(replies).toMatchObject([
      {
        content: "The key is [redacted:MY_KEY].",
        calls: [{ input: { command: "login [redacted:MY_KEY]" } }],
        native,
      },
    ]);
  });

  it("belongs to the same opening, or to one about the same issue", async () => {
    const lines: string[] = [];
    await record((line) => lines.push(line));
    const cassette = readCassette(lines.join(""), "f");
    const about = (content: string) => requestOf([{ role: "user", content }]);
    expect(matches(cassette, requestOf(opening))).toBe(true);
    expect(matches(cassette, about("Solve this: The sum is wrong. Thanks."))).toBe(true);
    expect(matches(cassette, about("The product is wrong."))).toBe(false);
    expect(matches({ ...cassette, task: " " }, about("Anything."))).toBe(false);
    expect(matches({ ...cassette, task: " " }, requestOf(opening))).toBe(true);
  });
});

describe("before there is a conversation, a cassette", () => {
  it.each([
    ["belongs to the recorded issue", "The sum is wrong.", " The sum is wrong.\n", true],
    ["belongs to one that holds it", "The sum is wrong.\n", "Title\n\nThe sum is wrong.", true],
    ["does not belong to another issue", "The sum is wrong.", "The product is wrong.", false],
    ["of an empty issue may belong to any", " \n", "Any.", true],
    ["of a redacted issue may belong to any", "Why does [redacted:A] fail?", "Any.", true],
  ])("%s", (_, task, issue, expected) => {
    const cassette = { model: "a:b", taskSha256: "0", task, replies: [] };
    expect(mayMatch(cassette, issue)).toBe(expected);
  });
});

describe("readCassette", () => {
  const header = JSON.stringify({
    format: "pmcoder-cassette-1",
    model: "a:b",
    task_sha256: "0",
    task: "t",
  });
  const line = JSON.stringify({ purpose: "act", content: "x", calls: [] });

  it("reads the least that a line may hold, and skips empty lines", () => {
    expect(readCassette(`${header}\n\n${line}\r\n`, "f")).toEqual({
      model: "a:b",
      taskSha256: "0",
      task: "t",
      replies: [{ purpose: "act", content: "x", calls: [] }],
    });
  });

  it.each([
    [`${header}\n${line}\n{"purpose": "act", "con`, 3, "not valid JSON"],
    [`${header}\n\n${line.replace("act", "dance")}`, 3, "purpose: "],
    [`${header}\n${line.replace('"calls":[]', '"calls":[{"id":1}]')}`, 2, "calls.0.id: "],
    [header.replace('"model":"a:b",', ""), 1, "model: "],
    ["", 1, "not valid JSON"],
  ])("names the line that it cannot read: %j", (text, at, problem) => {
    expect(() => readCassette(text, "my.jsonl")).toThrow(
      expect.objectContaining({
        code: "model_unavailable",
        message: expect.stringContaining(
          `Line ${at} of the cassette my.jsonl cannot be read (${problem}`,
        ),
      }),
    );
  });
});
