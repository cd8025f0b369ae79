import { describe, expect, it } from "vitest";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import { free } from "../../src/domain/model.ts";
import { type Keys, openModel } from "../../src/models/open-model.ts";
import { calling, opening, requestOf } from "../contracts/model.ts";
import * as anthropic from "../loopback/anthropic-server.ts";
import * as openai from "../loopback/openai-server.ts";
import { stoppedClock } from "../stopped-clock.ts";

function open(name: string | null, config: Partial<RunConfig["model"]> = {}, keys: Keys = {}) {
  const model = { ...RunConfig.parse({}).model, name, ...config };
  return openModel(model, keys, stoppedClock());
}

describe("openModel", () => {
  it.each([
    [null, {}, "usage", /^No model is chosen\. Give --model provider:name/],
    ["gpt-5", {}, "model_unavailable", /"gpt-5" is not known: .*anthropic, openai .*replay/],
    ["gemini:pro", {}, "model_unavailable", /"gemini:pro" is not known/],
    ["openai:", {}, "model_unavailable", /"openai:" is not known/],
    [":x", {}, "model_unavailable", /":x" is not known/],
    ["anthropic:x", {}, "model_unavailable", /no key for anthropic: set ANTHROPIC_API_KEY\./],
    [
      "openai:x",
      { baseUrl: "https://box.example/v1" },
      "model_unavailable",
      /no key for https:\/\/box\.example\/v1: set PMCODER_API_KEY\./,
    ],
    [
      "replay:/no/such/file",
      {},
      "model_unavailable",
      /\/no\/such\/file cannot be read: there is no such file\.$/,
    ],
  ])("says what is wrong with %j", async (name, config, code, says) => {
    await expect(open(name, config)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(says),
    });
  });

  it("refuses a key that no server would take, without showing it", async () => {
    const opened = open("openai:x", {}, { openai: "sk-abc def" });
    await expect(opened).rejects.toMatchObject({
      message:
        "The key in OPENAI_API_KEY holds a space or another character that no key has. Set it again.",
    });
  });

  it("splits the name at its first colon, and knows prices", async () => {
    const local = await open("openai:qwen3:8b", { baseUrl: "http://localhost:11434/v1" });
    expect([local.name, local.price]).toEqual(["openai:qwen3:8b", free]);
    const paid = await open("anthropic:claude-haiku-4-5", {}, { anthropic: "k" });
    expect(paid.price?.input).toBe(1);
    const unknown = await open("openai:x", {}, { openai: "k" });
    expect(unknown.price).toBeNull();
  });

  it.each([
    [{ pmcoder: " own\n", openai: "other" }, "Bearer own"],
    [{ openai: "other" }, "Bearer none"],
    [{}, "Bearer none"],
  ])("gives a server at a base URL the key of %j", async (keys, authorization) => {
    const server = await openai.openaiServer();
    server.answer(openai.reply({ content: "Hello." }));
    const model = await open("openai:x", { baseUrl: `${server.url}/v1` }, keys);
    await model.complete(requestOf(opening), calling());
    expect(server.received[0]?.headers["authorization"]).toBe(authorization);
    await server.close();
  });

  it("speaks to a compatible server of the Messages API under both headers", async () => {
    const server = await anthropic.anthropicServer();
    server.answer(anthropic.reply({ blocks: [{ type: "text", text: "Hello." }] }));
    const model = await open("anthropic:x", { baseUrl: server.url }, { pmcoder: "k-1" });
    expect((await model.complete(requestOf(opening), calling())).message.content).toBe("Hello.");
    expect(server.received[0]?.headers).toMatchObject({
      authorization: "Bearer k-1",
      "x-api-key": "k-1",
    });
    await server.close();
  });

  it("keeps a context window that the server does not", async () => {
    const config = { baseUrl: "http://localhost:1/v1", contextTokens: 5 };
    const model = await open("openai:x", config);
    await expect(model.complete(requestOf(opening), calling())).rejects.toMatchObject({
      code: "context_exhausted",
    });
  });
});
