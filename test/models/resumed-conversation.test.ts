import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { observe } from "../../src/agent/observation.ts";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import { conversationOf } from "../../src/domain/conversation.ts";
import { elide } from "../../src/domain/elide.ts";
import type { EpisodeEvent, Observation } from "../../src/domain/episode.ts";
import type { Message } from "../../src/domain/message.ts";
import { redactValue } from "../../src/domain/redact.ts";
import { openJournal } from "../../src/store/sqlite.ts";
import { temporaryFolder } from "../cli/temporary-folder.ts";
import { calling, requestOf } from "../contracts/model.ts";
import { type Api, apis, type ScriptedTurn } from "../loopback/scripted-api.ts";
import { type Loopback, events as stream } from "../loopback/server.ts";
import { stoppedClock } from "../stopped-clock.ts";
import { beginEvent, observed, promptEvent } from "../trajectories/recorded-episode.ts";

const command = (callId: string, of: string): EpisodeEvent => {
  return { type: "command", step: 1, callId, command: of };
};

/** What is told of a command that was ended by a signal. */
function interruption(callId: string): Observation {
  const none = new Uint8Array();
  const output = { head: none, tail: none, totalBytes: 0, file: "" };
  const ended = { exitCode: 130, timedOut: false, interrupted: true, background: false };
  const { agent } = RunConfig.parse({});
  return observe(callId, { ...ended, output, seconds: 1 }, { ...agent, timeoutSec: 60 });
}

/** What another process reads of a run whose events were written to a file. */
async function readAgain(events: readonly EpisodeEvent[]): Promise<readonly EpisodeEvent[]> {
  const file = join(temporaryFolder(), "pmcoder.db");
  const [before, after] = [openJournal(file, stoppedClock()), openJournal(file, stoppedClock())];
  await before.append("r", [beginEvent("r"), ...events]);
  await before.close();
  const read = await after.read("r");
  await after.close();
  return read;
}

/** Lets the model speak, and gives its reply as the event that a run records. */
async function said(api: Api, server: Loopback, messages: readonly Message[], turn: ScriptedTurn) {
  const step = messages.filter(({ role }) => role === "assistant").length + 1;
  server.answer(stream(api.say(turn, step).lines));
  const model = api.open(server, {}, { promptCache: false });
  const { message, usage, stop } = await model.complete(requestOf(messages), calling());
  const about = { step, purpose: "act", cost: 0, seconds: 1 } as const;
  const reply: EpisodeEvent = { type: "reply", ...about, message, usage, stop };
  return { reply, ids: message.calls.map(({ id }) => id) };
}

async function serving(api: Api, options = { forgetful: false }): Promise<Loopback> {
  const server = await api.serve(options);
  onTestFinished(() => server.close());
  return server;
}

interface Turn {
  readonly role: string;
  readonly content: readonly object[];
}

/** The messages of the newest request, those that the server had seen before left out. */
const newIn = ({ received }: Loopback, seen: number) =>
  ((received.at(-1)?.body["messages"] ?? []) as Turn[]).slice(seen);

const [anthropic, openai] = apis as readonly [Api, Api];

describe("a turn of three calls that was interrupted in the second", () => {
  /** The request that another process makes: what it holds after the opening. */
  async function resumed(api: Api, opening: number) {
    const server = await serving(api);
    const three = { text: "Three things.", commands: ["echo A", "sleep 60", "echo C"] };
    const { reply, ids } = await said(api, server, conversationOf([promptEvent]), three);
    const [a = "", b = "", c = ""] = ids;
    const events = await readAgain([
      promptEvent,
      reply,
      command(a, "echo A"),
      observed(1, a, "A\n"),
      command(b, "sleep 60"),
      { type: "observation", step: 1, ...interruption(b) },
      { type: "skipped", step: 1, callId: c, content: "Not run: interrupted before it." },
    ]);
    await said(api, server, conversationOf(events), { text: "I see.", commands: ["ls"] });
    return newIn(server, opening);
  }

  it("is answered whole, in order, in one message of the Messages API", async () => {
    const [turn, answers, ...more] = await resumed(anthropic, 1);
    expect(turn?.content.map((block) => "type" in block && block.type)).toEqual([
      "text",
      "tool_use",
      "tool_use",
      "tool_use",
    ]);
    const result = (n: number, text: string) => {
      return {
        type: "tool_result",
        tool_use_id: `toolu_1_${n}`,
        content: expect.stringMatching(text),
      };
    };
    expect(answers).toEqual({
      role: "user",
      content: [
        result(0, "<output>\nA\n"),
        { ...result(1, "Interrupted while running: its effect is unknown"), is_error: true },
        { ...result(2, "Not run"), is_error: true },
      ],
    });
    expect(more).toEqual([]);
  });

  it("is answered whole, in order, in the messages of chat completions", async () => {
    const [, ...answers] = await resumed(openai, 2);
    const result = (n: number, text: string) => {
      return { role: "tool", tool_call_id: `call-1-${n}`, content: expect.stringMatching(text) };
    };
    expect(answers).toEqual([
      result(0, "<output>\nA\n"),
      result(1, "Interrupted while running: its effect is unknown"),
      result(2, "Not run"),
    ]);
  });
});

describe("thinking", () => {
  const turn = (thinking: string): ScriptedTurn => {
    return { text: "I look.", thinking, commands: ["cat a.py"] };
  };

  /** What the model said in two turns, as it goes back in the third request of another process. */
  async function sentBack(
    options = { forgetful: false },
    shorten = (messages: readonly Message[]) => messages,
  ) {
    const server = await serving(anthropic, options);
    const one = await said(anthropic, server, conversationOf([promptEvent]), turn("a \n"));
    const first = [promptEvent, one.reply, observed(1, one.ids[0] ?? "", "x".repeat(900))];
    const two = await said(anthropic, server, conversationOf(first), turn(""));
    const events = await readAgain([...first, two.reply, observed(2, two.ids[0] ?? "", "y")]);
    const messages = shorten(conversationOf(events));
    await said(anthropic, server, messages, { text: "Done." });
    const assistant = newIn(server, 1).filter(({ role }) => role === "assistant");
    return { server, said: assistant.map(({ content }) => content) };
  }

  const received = (at: number, thinking: string) => [
    { type: "thinking", thinking, signature: `S${at}` },
    { type: "redacted_thinking", data: `D${at}` },
    { type: "text", text: "I look." },
    { type: "tool_use", id: `toolu_${at}_0`, name: "bash", input: { command: "cat a.py" } },
  ];
  const both = [received(1, "a \n"), received(2, "")];

  it("goes back as it came after the run was saved and read again", async () => {
    expect((await sentBack()).said).toEqual(both);
  });

  it("goes back as it came where the outputs beside it were left out", async () => {
    const elided = await sentBack({ forgetful: true }, (messages) => elide(messages, 1));
    expect(elided.said).toEqual(both);
    expect(JSON.stringify(elided.server.received.at(-1)?.body)).toContain("[Left out to save room");
  });

  it("goes back as it came where secrets were taken out of what stands beside it", async () => {
    const secrets = [{ name: "MY_KEY", value: "x".repeat(30) }];
    const redacted = await sentBack({ forgetful: true }, (messages) =>
      redactValue(messages, secrets),
    );
    expect(redacted.said).toEqual(both);
    expect(JSON.stringify(redacted.server.received.at(-1)?.body)).toContain("[redacted:MY_KEY]");
  });
});
