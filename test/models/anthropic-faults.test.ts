import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anthropicModel } from "../../src/models/anthropic.ts";
import { answered, calling, opening, requestOf } from "../contracts/model.ts";
import {
  anthropicServer,
  brokenBy,
  failure,
  partOf,
  reply,
  toolUse,
} from "../loopback/anthropic-server.ts";
import { keepAlive, type Loopback, resetAtOnce, silence } from "../loopback/server.ts";
import { key, optionsFor } from "./adapter-setup.ts";

describe("anthropic, when something fails", () => {
  let server: Loopback;
  beforeEach(async () => {
    server = await anthropicServer();
  });
  afterEach(() => server.close());

  const fine = { blocks: [{ type: "text", text: "Fine." }] };
  const half = { blocks: [{ type: "text", text: "This half must not be kept" }] };
  const model = (config = {}) => anthropicModel(optionsFor("anthropic", server.url, config));
  const ask = (options = calling(), config = {}) =>
    model(config).complete(requestOf(opening), options);

  it("retries an overload that arrives after the headers, and keeps nothing of the half reply", async () => {
    server.answer(brokenBy(half, 4, "overloaded_error", "Overloaded"), reply(fine));
    const options = calling();
    const got = await ask(options);
    expect(options.retries).toEqual([{ attempt: 1, of: 10, waitSec: 2, reason: "Overloaded" }]);
    expect(got.message.content).toBe("Fine.");
    expect(got.usage).toEqual({ input: 2400, cached: 2000, cacheWritten: 300, output: 40 });
    const [first, second] = server.received;
    expect(second?.body).toEqual(first?.body);
  });

  it.each([
    ["529", failure(529, "overloaded_error", "Overloaded"), /^529 Overloaded$/],
    ["500", failure(500, "api_error", "Internal server error"), /^500 Internal server error$/],
    ["429", failure(429, "rate_limit_error", "Slow down"), /^429 Slow down$/],
    ["a reset before the headers", resetAtOnce, /ECONNRESET/],
    ["a reset within the reply", partOf(half, 4, "reset"), /ECONNRESET/],
    [
      "a stream that ends early",
      partOf(half, 4, "whole"),
      /^the stream ended before the reply was whole$/,
    ],
  ])("retries %s once and goes on", async (_, fault, reason) => {
    server.answer(fault, reply(fine));
    const options = calling();
    expect((await ask(options)).message.content).toBe("Fine.");
    expect(options.retries.map((retry) => retry.reason)).toEqual([expect.stringMatching(reason)]);
  });

  it("takes silence for a failure, before the headers and within the reply", async () => {
    server.answer(silence, partOf(half, 4, "silence"), reply(fine));
    const options = calling();
    await ask(options, { timeoutSec: 0.2 });
    expect(options.retries.map((retry) => retry.reason)).toEqual([
      "no byte from the server for 0.2 s",
      "no byte from the server for 0.2 s",
    ]);
  });

  it("gives up a stream of nothing but pings", async () => {
    server.answer(keepAlive(['event: ping\ndata: {"type":"ping"}']), reply(fine));
    const options = calling();
    expect((await ask(options, { timeoutSec: 0.15 })).message.content).toBe("Fine.");
    expect(options.retries.map((retry) => retry.reason)).toEqual(["no part of a reply for 0.3 s"]);
  });

  it("waits as long as the server asks, and obeys what it says of another try", async () => {
    const slow = (headers: Record<string, string>) =>
      failure(429, "rate_limit_error", "Slow down", headers);
    const date = new Date(Date.UTC(2026, 3, 1));
    server.answer(
      slow({ "retry-after": "7" }),
      slow({ "retry-after": "Wed, 01 Apr 2026 00:00:40 GMT", date: date.toUTCString() }),
      slow({ "retry-after": "7", "retry-after-ms": "1500" }),
      slow({ "x-should-retry": "false" }),
    );
    const options = calling();
    await expect(ask(options)).rejects.toMatchObject({ code: "model_unavailable" });
    expect(options.retries.map(({ waitSec }) => waitSec)).toEqual([7, 40, 1.5]);
  });

  it("keeps a reply whose stream breaks after its end", async () => {
    const whole = 2 + 3 + 1;
    server.answer(partOf(fine, whole, "reset"));
    const options = calling();
    const got = await ask(options);
    expect(got).toMatchObject({ message: { content: "Fine." }, stop: "end" });
    expect([got.usage.output, options.retries]).toEqual([40, []]);
  });

  it("gives up after the last try, with their number and the last reason", async () => {
    server.answer(
      ...Array.from({ length: 3 }, () => failure(529, "overloaded_error", "Overloaded")),
    );
    await expect(ask(calling(), { attempts: 3 })).rejects.toMatchObject({
      code: "model_unavailable",
      message:
        "anthropic:m-1 gave no reply in 3 tries; the last one failed with: 529 Overloaded. Try again later, or choose another model.",
    });
  });

  it("drops thinking once the API has refused it, and does not ask again", async () => {
    await server.close();
    server = await anthropicServer({ forgetful: true });
    const refused = failure(
      400,
      "invalid_request_error",
      "messages.1.content.0: Invalid `signature` in `thinking` block",
    );
    const thinking = { type: "thinking", thinking: "hm", signature: "S" };
    server.answer(
      reply({ blocks: [thinking, toolUse("T1", { command: "ls" })], stop: "tool_use" }),
    );
    const one = model();
    const first = await one.complete(requestOf(opening), calling());
    server.answer(refused, reply(fine), reply(fine));
    const options = calling();
    const messages = answered(opening, first, ["a.py"]);
    await one.complete(requestOf(messages), options);
    expect(options.retries).toEqual([
      {
        attempt: 1,
        of: 10,
        waitSec: 0,
        reason: "the API refused earlier thinking blocks, so they are left out",
      },
    ]);
    await one.complete(requestOf(messages), calling());
    expect(JSON.stringify(server.received[1]?.body)).toContain("thinking");
    for (const { body } of server.received.slice(2)) {
      expect(JSON.stringify(body)).not.toContain("thinking");
    }
  });

  it.each([
    [400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"],
    [
      400,
      "invalid_request_error",
      "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000",
    ],
    [413, "request_too_large", "Request exceeds the maximum size"],
  ])("tells that the prompt does not fit: %i %s %s", async (status, type, message) => {
    server.answer(failure(status, type, message));
    await expect(ask()).rejects.toMatchObject({
      code: "context_exhausted",
      message: `The prompt no longer fits into the context of anthropic:m-1: ${status} ${message}`,
    });
  });

  it.each([
    [401, "authentication_error", "invalid x-api-key", /ANTHROPIC_API_KEY/],
    [403, "permission_error", "not allowed", /ANTHROPIC_API_KEY/],
    [404, "not_found_error", "model: m-1", /"m-1"/],
    [400, "invalid_request_error", "max_tokens: 8192 > 4096", /400 max_tokens: 8192 > 4096/],
  ])("does not retry %i %s", async (status, type, message, says) => {
    server.answer(failure(status, type, message));
    const options = calling();
    await expect(ask(options)).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(says),
    });
    expect(options.retries).toEqual([]);
  });

  it("keeps the key out of errors, though the server repeats it", async () => {
    server.answer(failure(401, "authentication_error", `wrong key ${key}, like sk-other-123456`));
    const error: Error = await ask().catch((caught) => caught);
    expect(error.message).toContain("wrong key [key], like [key]");
    expect(error.cause).toBeUndefined();
  });

  it("stops at once when interrupted during a try", async () => {
    server.answer(silence);
    const aborter = new AbortController();
    const call = ask(calling(aborter.signal));
    await expect.poll(() => server.received.length).toBe(1);
    aborter.abort(new Error("Ctrl-C"));
    await expect(call).rejects.toMatchObject({ code: "interrupted" });
  });
});
