import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "../../src/domain/message.ts";
import { anthropicModel } from "../../src/models/anthropic.ts";
import { answered, calling, modelContract, opening, requestOf } from "../contracts/model.ts";
import { anthropicServer, reply, toolUse } from "../loopback/anthropic-server.ts";
import type { Loopback } from "../loopback/server.ts";
import { optionsFor } from "./adapter-setup.ts";

modelContract("anthropic", async (script) => {
  const server = await anthropicServer();
  for (const [turn, { content, commands }] of script.entries()) {
    const text = content === "" ? [] : [{ type: "text", text: content }];
    const uses = commands.map((command, n) => toolUse(`toolu_${turn}_${n}`, { command }));
    server.answer(
      reply({ blocks: [...text, ...uses], stop: uses.length > 0 ? "tool_use" : "end_turn" }),
    );
  }
  return {
    model: anthropicModel(optionsFor("anthropic", server.url)),
    usage: { input: 2400, cached: 2000, cacheWritten: 300, output: 40 },
    close: server.close,
  };
});

describe("anthropic", () => {
  let server: Loopback;
  beforeEach(async () => {
    server = await anthropicServer();
  });
  afterEach(() => server.close());

  const fine = { blocks: [{ type: "text", text: "Fine." }] };
  const model = (config = {}) => anthropicModel(optionsFor("anthropic", server.url, config));
  const ask = (options = calling(), config = {}) =>
    model(config).complete(requestOf(opening), options);

  it("marks a call that the output limit cut, so that it is never run", async () => {
    const blocks = [
      { type: "text", text: "I try two things." },
      toolUse("T1", { command: "ls" }),
      toolUse("T2", `{"command": "python - <<'EOF'\nprint(1)\npri`),
    ];
    server.answer(reply({ blocks, stop: "max_tokens" }), reply(fine));
    const got = await ask();
    expect(got.stop).toBe("length");
    const [whole, cut] = got.message.calls;
    expect(whole).toEqual({ id: expect.any(String), name: "bash", input: { command: "ls" } });
    expect(cut).toEqual({
      id: expect.any(String),
      name: "bash",
      input: { unparsed: `{"command": "python - <<'EOF'\nprint(1)\npri` },
      cut: true,
    });
    await model().complete(requestOf(answered(opening, got, ["a", "cut"])), calling());
  });

  it("leaves out a thinking block that the output limit cut, which has no signature", async () => {
    const blocks = [{ type: "thinking", thinking: "Let me see", signature: "" }];
    server.answer(reply({ blocks, stop: "max_tokens" }), reply(fine));
    const got = await ask();
    expect(got).toMatchObject({ stop: "length", message: { content: "", native: { blocks: [] } } });
    const messages: Message[] = [...opening, got.message, { role: "user", content: "Go on." }];
    await model().complete(requestOf(messages), calling());
    expect(server.received[1]?.body["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ type: "text", text: "(no text)" }] },
      { role: "user" },
    ]);
  });

  it("tells a refusal", async () => {
    server.answer(reply({ blocks: [], stop: "refusal" }));
    expect(await ask()).toMatchObject({ stop: "refusal", message: { content: "", calls: [] } });
  });

  it("sends thinking and unknown blocks back deep-equal and in order, without blank text", async () => {
    const blocks = [
      { type: "thinking", thinking: "a \n", signature: "S1" },
      { type: "redacted_thinking", data: "D" },
      { type: "thinking", thinking: "", signature: "S2" },
      { type: "text", text: "\n" },
      { type: "text", text: "I look.", citations: null },
      { type: "novelty", depth: { of: ["field", 1] } },
      { ...toolUse("T3", { command: "true" }), caller: { type: "direct" } },
    ];
    server.answer(reply({ blocks, stop: "tool_use" }), reply(fine));
    const got = await ask();
    expect(got.message.content).toBe("I look.");
    const stored = JSON.parse(JSON.stringify(answered(opening, got, [""])));
    await model({ promptCache: false }).complete(requestOf(stored), calling());
    expect(server.received[1]?.body["messages"]).toEqual([
      { role: "user", content: [{ type: "text", text: "The sum is wrong." }] },
      { role: "assistant", content: blocks.filter(({ text }) => text !== "\n") },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "T3", content: "(no output)" }],
      },
    ]);
  });

  it("answers all calls of a turn in one message, in order, before any text", async () => {
    server.answer(reply(fine));
    const call = (id: string) => ({ id, name: "bash", input: { command: id } });
    await ask();
    server.answer(reply(fine));
    await model({ promptCache: false }).complete(
      requestOf([
        ...opening,
        { role: "assistant", content: "Three.", calls: ["A", "B", "C"].map(call) },
        { role: "tool", callId: "A", content: "out" },
        { role: "tool", callId: "B", content: "started, interrupted", isError: true },
        { role: "tool", callId: "C", content: "not executed", isError: true },
        { role: "user", content: "Go on." },
      ]),
      calling(),
    );
    const turns = server.received[1]?.body["messages"] as unknown[];
    expect(turns.at(-1)).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "A", content: "out" },
        { type: "tool_result", tool_use_id: "B", content: "started, interrupted", is_error: true },
        { type: "tool_result", tool_use_id: "C", content: "not executed", is_error: true },
        { type: "text", text: "Go on." },
      ],
    });
  });

  it("stands in for texts that are empty", async () => {
    server.answer(reply(fine));
    const empty = { role: "assistant", content: "\n", calls: [] } as const;
    const messages = [...opening, empty, { role: "user", content: "" } as const];
    await model({ promptCache: false }).complete(requestOf(messages), calling());
    const turns = server.received.at(0)?.body["messages"] as unknown[] | undefined;
    const stand = [{ type: "text", text: "(no text)" }];
    expect(turns?.slice(1)).toEqual([
      { role: "assistant", content: stand },
      { role: "user", content: stand },
    ]);
  });

  it("reports malformed input as such, and goes on with a valid request", async () => {
    const blocks = [toolUse("T4", '{"command": "echo "hi""}'), toolUse("T5", "")];
    server.answer(reply({ blocks, stop: "tool_use" }), reply(fine));
    const got = await ask();
    expect(got.message.calls.map(({ input, malformed }) => [input, malformed])).toEqual([
      [{ unparsed: '{"command": "echo "hi""}' }, "The call's arguments are not valid JSON."],
      [{ unparsed: "" }, "The call has no arguments."],
    ]);
    await model().complete(requestOf(answered(opening, got, ["no", "no"])), calling());
  });

  it("marks cache breakpoints at the system prompt and the newest two user turns", async () => {
    const one = model();
    let messages = opening;
    for (const command of ["a", "b", "c"]) {
      server.answer(reply({ blocks: [toolUse(`T-${command}`, { command })], stop: "tool_use" }));
      messages = answered(messages, await one.complete(requestOf(messages), calling()), ["out"]);
    }
    server.answer(reply(fine));
    await one.complete(requestOf(messages), calling());
    const body = server.received[3]?.body as {
      system: object[];
      messages: { content: object[] }[];
    };
    const mark = { cache_control: { type: "ephemeral" } };
    expect(body.system).toEqual([{ type: "text", text: "You fix bugs.", ...mark }]);
    expect(body.messages.map(({ content }) => content.some((b) => "cache_control" in b))).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
      true,
    ]);
    server.answer(reply(fine));
    await model({ promptCache: false }).complete(requestOf(messages), calling());
    expect(JSON.stringify(server.received[4]?.body)).not.toContain("cache_control");
  });

  it("sends the temperature only if it is set", async () => {
    server.answer(reply(fine), reply(fine));
    await ask();
    await model().complete({ ...requestOf(opening), temperature: 0, seed: 7 }, calling());
    expect(server.received.map(({ body }) => body["temperature"])).toEqual([undefined, 0]);
    expect(server.received[1]?.body).not.toHaveProperty("seed");
  });
});
