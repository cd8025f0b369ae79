import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AssistantMessage } from "../../src/domain/message.ts";
import { openaiModel } from "../../src/models/openai.ts";
import { answered, calling, modelContract, opening, requestOf } from "../contracts/model.ts";
import { type OpenaiReply, openaiServer, reply, wholeReply } from "../loopback/openai-server.ts";
import type { Loopback } from "../loopback/server.ts";
import { optionsFor } from "./adapter-setup.ts";

const modelAt = ({ url }: Loopback, config = {}) =>
  openaiModel(optionsFor("openai", `${url}/v1`, config));

for (const [name, send] of [
  ["openai", reply],
  ["openai without streaming", wholeReply],
] as const) {
  modelContract(name, async (script) => {
    const server = await openaiServer();
    for (const [turn, { content, commands }] of script.entries()) {
      const calls = commands.map((command, n) => ({
        id: `call-${turn}-${n}`,
        name: "bash",
        arguments: JSON.stringify({ command }),
      }));
      server.answer(send({ content, calls, finish: calls.length > 0 ? "tool_calls" : "stop" }));
    }
    return {
      model: modelAt(server),
      usage: { input: 2400, cached: 2000, cacheWritten: 0, output: 40 },
      close: server.close,
    };
  });
}

describe("openai", () => {
  let server: Loopback;
  beforeEach(async () => {
    server = await openaiServer();
  });
  afterEach(() => server.close());

  const bash = (raw: string, id?: string) => ({
    name: "bash",
    arguments: raw,
    ...(id ? { id } : {}),
  });
  const ls = bash('{"command":"ls"}');
  const ask = async (given: OpenaiReply, config = {}) => {
    server.answer(reply(given));
    return modelAt(server, config).complete(requestOf(opening), calling());
  };

  it.each([
    ['{"command": "echo "hi""}', true],
    ['command = "ls"', true],
    ["", true],
    ['{"cmd":"ls"}', false],
    ['{"command":["ls","-l"]}', false],
  ])(
    "keeps arguments that cannot be run, %j, and goes on with a valid request",
    async (raw, bad) => {
      const got = await ask({ calls: [bash(raw, "c1")], finish: "tool_calls" });
      const [call] = got.message.calls;
      expect(call?.malformed !== undefined).toBe(bad);
      expect(call?.input).toEqual(bad ? { unparsed: raw } : JSON.parse(raw));
      server.answer(reply({ content: "Sorry." }));
      await modelAt(server).complete(requestOf(answered(opening, got, ["no"])), calling());
    },
  );

  it("marks the call that the output limit cut, and only that one", async () => {
    const got = await ask({
      calls: [ls, bash('{"command": "python - <<\'EOF\'\\nprint(1)\\npri')],
      finish: "length",
    });
    expect(got.stop).toBe("length");
    expect(got.message.calls.map(({ cut, malformed }) => [cut, malformed])).toEqual([
      [undefined, undefined],
      [true, undefined],
    ]);
  });

  it("gives calls without ids, or with ids used before, ids of their own", async () => {
    const first = await ask({ calls: [ls, ls, bash("{}", "x")], finish: "tool_calls" });
    expect(first.message.calls.map(({ id }) => id)).toEqual(["call_1_1", "call_1_2", "x"]);
    server.answer(reply({ calls: [bash("{}", "x"), bash("{}", "y")], finish: "tool_calls" }));
    const next = requestOf(answered(opening, first, ["a", "b", "c"]));
    const second = await modelAt(server).complete(next, calling());
    expect(second.message.calls.map(({ id }) => id)).toEqual(["call_2_1", "y"]);
  });

  it.each([
    [
      "<tool_call>\n<function=bash>\n<parameter=command>\nls -la\n</parameter>\n</function>\n</tool_call>",
    ],
    ['{"name":"bash","arguments":{"command":"ls -la"}}'],
  ])("takes a call that came as text for a call, if asked to: %j", async (content) => {
    expect(await ask({ content })).toMatchObject({
      stop: "calls",
      message: { content: "", calls: [{ name: "bash", input: { command: "ls -la" } }] },
    });
    expect(await ask({ content }, { textCalls: false })).toMatchObject({
      stop: "end",
      message: { content, calls: [] },
    });
  });

  it("leaves prose that explains a call alone", async () => {
    const content =
      'Write this:\n```json\n{"name":"bash","arguments":{"command":"ls -la"}}\n```\nand wait.';
    expect(await ask({ content })).toMatchObject({ stop: "end", message: { content, calls: [] } });
  });

  it.each([
    ["stop", "Done.", "end"],
    ["length", "And so on and", "length"],
    ["content_filter", "", "refusal"],
    ["stop", "", "end"],
  ])("reads finish_reason %s with %j as %s", async (finish, content, stop) => {
    expect(await ask({ finish, content })).toMatchObject({ stop, message: { content, calls: [] } });
  });

  it("reads calls although the server says it just stopped, and a refusal in its own field", async () => {
    expect(await ask({ calls: [ls], finish: "stop" })).toMatchObject({ stop: "calls" });
    expect(await ask({ fields: { refusal: "I will not." } })).toMatchObject({
      stop: "refusal",
      message: { content: "I will not." },
    });
  });

  it.each([
    ["OpenAI", { prompt_tokens_details: { cached_tokens: 60 } }, 60, 0],
    ["DeepSeek", { prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 }, 60, 0],
    ["Moonshot", { cached_tokens: 60 }, 60, 0],
    [
      "OpenRouter",
      { prompt_tokens_details: { cached_tokens: 50, cache_write_tokens: 30 } },
      50,
      30,
    ],
    ["LiteLLM", { cache_creation_input_tokens: 30 }, 0, 30],
    ["a server without a cache", { prompt_tokens_details: null }, 0, 0],
  ])("reads the usage of %s", async (_, fields, cached, cacheWritten) => {
    const usage = { prompt_tokens: 100, completion_tokens: 9, ...fields };
    expect((await ask({ content: "x", usage })).usage).toEqual({
      input: 100,
      cached,
      cacheWritten,
      output: 9,
    });
  });

  it("estimates usage where the server sends none", async () => {
    const { usage } = await ask({ content: "x".repeat(400), usage: null });
    const prompt = JSON.stringify(opening).length;
    expect(usage).toEqual({
      input: Math.ceil(prompt / 4),
      cached: 0,
      cacheWritten: 0,
      output: 103,
    });
  });

  it("keeps reasoning beside the message and does not send it back", async () => {
    const got = await ask({ fields: { reasoning_content: "Hm." }, calls: [ls] });
    expect(got.message.native).toEqual({
      provider: "openai",
      blocks: [{ reasoning_content: "Hm." }],
    });
    server.answer(reply({ content: "Done." }));
    await modelAt(server).complete(requestOf(answered(opening, got, ["a.py"])), calling());
    expect(server.received[1]?.body["messages"]).toEqual([
      ...opening,
      {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "call_1_1",
            type: "function",
            function: { name: "bash", arguments: '{"command":"ls"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "call_1_1", content: "a.py" },
    ]);
  });

  it("ignores another provider's blocks and stands in for empty texts", async () => {
    const empty: AssistantMessage = {
      role: "assistant",
      content: " ",
      calls: [],
      native: { provider: "anthropic", blocks: [{ type: "thinking", thinking: "x" }] },
    };
    server.answer(reply({ content: "Done." }));
    const messages = [...opening, empty, { role: "user", content: "" } as const];
    await modelAt(server).complete(requestOf(messages), calling());
    expect((server.received.at(0)?.body["messages"] as unknown[] | undefined)?.slice(2)).toEqual([
      { role: "assistant", content: "(no text)" },
      { role: "user", content: "(no text)" },
    ]);
  });

  it("sends limits, and temperature and seed only if they are set", async () => {
    server.answer(reply({}), reply({}));
    const model = modelAt(server);
    await model.complete(requestOf(opening), calling());
    await model.complete({ ...requestOf(opening), temperature: 0, seed: 7 }, calling());
    const [plain, set] = server.received.map(({ body }) => body);
    expect(plain).toEqual({
      model: "m-1",
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 1000,
      tools: [{ type: "function", function: requestOf([]).tools[0] }],
      messages: opening,
    });
    expect(set).toEqual({ ...plain, temperature: 0, seed: 7 });
  });
});
