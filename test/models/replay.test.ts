import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Message } from "../../src/domain/message.ts";
import { noUsage } from "../../src/domain/model.ts";
import {
  expectsFormatErrors,
  openRecording,
  openReplay,
  readRecording,
  refuseOtherIssue,
  replayModel,
} from "../../src/models/replay.ts";
import { capable } from "../capabilities.ts";
import { calling, modelContract, opening, requestOf } from "../contracts/model.ts";
import { scriptedModel } from "../scripted-model.ts";

const usage = { input: 2400, cached: 2000, cacheWritten: 300, output: 40 };

modelContract("replay", async (script) => {
  const replies = script.map(({ content, commands }, turn) => ({
    purpose: "act" as const,
    content,
    calls: commands.map((command, n) => ({ id: `${turn}-${n}`, name: "bash", input: { command } })),
    usage,
  }));
  const recording = {
    source: "pmcoder-cassette-1",
    model: "a:b",
    replies,
    fits: () => true,
    mayFit: () => true,
  } as const;
  return { model: replayModel(recording, "replay:f"), usage, close: async () => {} };
});

/** A conversation in which the model has spoken `k` times. */
function after(k: number): Message[] {
  const said = { role: "assistant", content: "x", calls: [] } as const;
  const nudge = { role: "user", content: "Go on." } as const;
  return [...opening, ...Array.from({ length: k }, () => [said, nudge] as const).flat()];
}

const ask = (text: string, k = 0) =>
  replayModel(readRecording(text, "f"), "replay:f").complete(requestOf(after(k)), calling());

const fence = (command: string) => `\`\`\`bash\n${command}\n\`\`\``;

const v1 = JSON.stringify({
  trajectory_format: "mini-swe-agent-1",
  info: { config: { model: { model_name: "v1-model" } } },
  messages: [
    { role: "system", content: "s" },
    { role: "user", content: "u" },
    { role: "assistant", content: `I look.\n\n${fence("ls -la")}` },
    { role: "user", content: "<returncode>0</returncode>\n<output>\na.py\n</output>" },
    { role: "assistant", content: "I think." },
    { role: "user", content: "exactly one" },
    { role: "assistant", content: `${fence("a")}\n${fence("b")}` },
    { role: "user", content: "exactly one" },
    { role: "assistant", content: fence("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT") },
    { role: "user", content: "diff" },
  ],
});

const calls = ["sed -n 1,5p a.py", "pytest -q"].map((command, n) => ({ command, id: `call-${n}` }));
const v2 = JSON.stringify({
  trajectory_format: "mini-swe-agent-1.1",
  info: { config: { model: { model_name: "v2-model" } } },
  messages: [
    { role: "system", content: "s" },
    { role: "user", content: "u" },
    {
      role: "assistant",
      content: null,
      tool_calls: calls.map(({ command, id }) => ({
        id,
        type: "function",
        function: { name: "bash", arguments: JSON.stringify({ command }) },
      })),
      extra: { actions: calls.map(({ command, id }) => ({ command, tool_call_id: id })) },
    },
    ...calls.map(({ id }) => ({
      role: "tool",
      tool_call_id: id,
      content: "out",
      extra: { returncode: 0, raw_output: "out" },
    })),
    { role: "exit", content: "", extra: { exit_status: "LimitsExceeded", submission: "" } },
  ],
});

const line = (fields: object) =>
  JSON.stringify({ purpose: "act", content: "", calls: [], ...fields });
const header = JSON.stringify({
  format: "pmcoder-cassette-1",
  model: "anthropic:recorded",
  task_sha256: "0",
  task: "The sum is wrong.",
});
const cassette = [
  header,
  line({ content: "one" }),
  line({ content: "plan A", purpose: "decompose" }),
  line({ content: "two" }),
  line({ content: "plan B", purpose: "decompose" }),
].join("\n");

describe("replay", () => {
  it("answers with the reply whose number the conversation has reached, whatever came before", async () => {
    expect((await ask(cassette, 1)).message.content).toBe("two");
    expect((await ask(cassette, 0)).message.content).toBe("one");
    expect(await ask(cassette, 1)).toMatchObject({ usage: noUsage, model: "anthropic:recorded" });
  });

  it("answers another purpose from its own replies alone", async () => {
    const plan = { ...requestOf(after(1)), purpose: "decompose" } as const;
    const from = (text: string) => replayModel(readRecording(text, "f"), "replay:f");
    expect((await from(cassette).complete(plan, calling())).message.content).toBe("plan A");
    await expect(from(v1).complete(plan, calling())).rejects.toMatchObject({
      code: "model_unavailable",
      message: "replay:f has not recorded a reply for decompose.",
    });
  });

  it("says how many replies it holds when it has run out", async () => {
    await expect(ask(cassette, 2)).rejects.toMatchObject({
      code: "model_unavailable",
      message:
        "replay:f holds 2 replies and reply 3 was asked for: this run needs more steps than the recorded one took. Record it again, or choose a model.",
    });
  });

  it("refuses another issue than a cassette's, at the first request or before it", async () => {
    const says = /^replay:f was recorded for another issue\. Give that issue, or record this one/;
    await expect(ask(cassette.replace("The sum", "The product"))).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(says),
    });
    const refuse = (text: string) =>
      refuseOtherIssue(replayModel(readRecording(text, "f"), "replay:f"), "The product is wrong.");
    expect(() => refuse(cassette)).toThrow(says);
    for (const text of [v1, v2]) refuse(text);
  });

  it("makes one call of the one fenced block of a v1 reply, and none of none or several", async () => {
    const replies = await Promise.all([0, 1, 2, 3].map((k) => ask(v1, k)));
    expect(replies.map(({ message, stop }) => [message.calls, stop])).toEqual([
      [[{ id: "call_1_1", name: "bash", input: { command: "ls -la" } }], "calls"],
      [[], "end"],
      [[], "end"],
      [
        [
          {
            id: "call_4_1",
            name: "bash",
            input: { command: "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT" },
          },
        ],
        "calls",
      ],
    ]);
    expect(replies[0]?.message.content).toBe(`I look.\n\n${fence("ls -la")}`);
    expect(replies[0]?.model).toBe("v1-model");
  });

  it("gives all calls of a v2 reply, in order and under their ids", async () => {
    expect((await ask(v2)).message).toEqual({
      role: "assistant",
      content: "",
      calls: calls.map(({ command, id }) => ({ id, name: "bash", input: { command } })),
    });
  });

  it("knows which recordings hold replies that were answered with a format error", () => {
    const expects = (text: string) =>
      expectsFormatErrors(replayModel(readRecording(text, "f"), "replay:f"));
    expect([v1, v2, cassette].map(expects)).toEqual([true, false, false]);
    expect(expectsFormatErrors(scriptedModel([]))).toBe(false);
  });
});

describe("openReplay", () => {
  let folder: string;
  const write = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "pmcoder-replay-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ["plain.json", v1],
    ["zipped.json.gz", gzipSync(v1)],
    ["zipped-without-the-name", gzipSync(v2)],
    ["cassette.jsonl", cassette],
  ])("opens %s", async (name, content) => {
    const path = write(name, content);
    const model = openReplay(path);
    expect(model.name).toBe(`replay:${path}`);
    expect((await model.complete(requestOf(opening), calling())).message.role).toBe("assistant");
  });

  it.each([
    ["damaged.gz", gzipSync(v1).subarray(0, 200), /damaged gzip/],
    ["prose.txt", "hello", /expected a trajectory .* found no JSON .* --record/],
    ["two.json", `[${v1},${v2}]`, /holds 2 episodes, and a replay needs exactly one/],
    ["torn.jsonl", cassette.slice(0, -10), /Line 5 of the cassette .*torn\.jsonl/],
  ])("says what is wrong with %s", (name, content, says) => {
    expect(() => openReplay(write(name, content))).toThrow(
      expect.objectContaining({
        code: "model_unavailable",
        message: expect.stringMatching(says),
      }),
    );
  });

  it("says which file is missing", () => {
    expect(() => openReplay(join(folder, "none.json"))).toThrow(
      expect.objectContaining({
        code: "model_unavailable",
        message: expect.stringMatching(/none\.json cannot be read: there is no such file\.$/),
      }),
    );
  });
});

const data = process.env["PMCODER_DATA"] ?? "";

describe.runIf(capable("data", () => data !== ""))("public runs of mini-swe-agent v1", () => {
  it("are opened, every one", () => {
    const runs = join(data, "trajectories", "mini-swe-agent-v1");
    const files = readdirSync(runs).filter((name) => name.endsWith(".json.gz"));
    let replies = 0;
    let withCall = 0;
    for (const name of files) {
      const recording = openRecording(join(runs, name));
      expect(recording.source).toBe("mini-swe-agent-1");
      replies += recording.replies.length;
      withCall += recording.replies.filter((reply) => reply.calls.length === 1).length;
    }
    expect([files.length, replies, withCall]).toEqual([140, 5784, 5581]);
  });
});
