import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AssistantMessage } from "../../src/domain/message.ts";
import type { ModelReply } from "../../src/domain/model.ts";
import { isCassette, matches, readCassette, recordingModel } from "../../src/models/cassette.ts";
import { openCassetteFile } from "../../src/models/cassette-file.ts";
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
  const recording = recordingModel(model, { write }, "The sum is wrong.");
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
    const model = recordingModel(scriptedModel([reply]), { write: (l) => lines.push(l) }, "t");
    await model.complete(requestOf(opening), calling());
    expect(lines).toHaveLength(2);
    const failing = model.complete(requestOf(opening), calling());
    await expect(failing).rejects.toMatchObject({ code: "model_unavailable" });
    expect(readCassette(lines.join(""), "f").replies).toHaveLength(1);
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

describe("openCassetteFile", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pmcoder-cassette-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("keeps each line before it returns", () => {
    const path = join(folder, "c.jsonl");
    const file = openCassetteFile(path);
    file.write("one\n");
    expect(readFileSync(path, "utf8")).toBe("one\n");
    file.write("two\n");
    file.close();
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
  });

  it("never writes over an old recording", () => {
    const path = join(folder, "c.jsonl");
    writeFileSync(path, "paid for");
    expect(() => openCassetteFile(path)).toThrow(expect.objectContaining({ code: "usage" }));
    expect(readFileSync(path, "utf8")).toBe("paid for");
  });

  it("says what is wrong with a file that cannot be written", () => {
    const file = openCassetteFile(join(folder, "c.jsonl"));
    file.close();
    expect(() => file.write("x\n")).toThrow(
      expect.objectContaining({ code: "storage", message: expect.stringContaining("c.jsonl") }),
    );
    expect(() => openCassetteFile(join(folder, "no", "c.jsonl"))).toThrow(
      expect.objectContaining({ code: "storage" }),
    );
  });
});
