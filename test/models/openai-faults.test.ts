import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openaiModel } from "../../src/models/openai.ts";
import { answered, calling, opening, requestOf } from "../contracts/model.ts";
import {
  brokenBy,
  failure,
  openaiServer,
  partOf,
  reply,
  wholeReply,
} from "../loopback/openai-server.ts";
import {
  events,
  json,
  keepAlive,
  type Loopback,
  resetAtOnce,
  silence,
} from "../loopback/server.ts";
import { key, optionsFor } from "./adapter-setup.ts";

describe("openai, when something fails", () => {
  let server: Loopback;
  beforeEach(async () => {
    server = await openaiServer();
  });
  afterEach(() => server.close());

  const half = { content: "This half must not be kept" };
  const fine = { content: "Fine." };
  const model = (config = {}) => openaiModel(optionsFor("openai", `${server.url}/v1`, config));
  const ask = (options = calling(), config = {}) =>
    model(config).complete(requestOf(opening), options);

  it.each([
    ["503", failure(503, { message: "Loading model" }), /^503 Loading model$/],
    ["a reset before the headers", resetAtOnce, /ECONNRESET/],
    ["a reset within the reply", partOf(half, 4, "reset"), /ECONNRESET/],
    ["a stream that ends early", partOf(half, 4, "whole"), /ended before the reply was whole/],
    ["an empty stream", events([]), /ended before the reply was whole/],
    ["a page instead of a reply", events(["<html>", "Bad gateway"]), /ended before/],
    ["JSON that breaks off", brokenBy(half, 3, 'data: {"choices": [{'), /JSON/],
    ["chunks of another shape", brokenBy(half, 3, 'data: {"choices": 7}'), /no completion/],
    [
      "an error within the stream",
      brokenBy(half, 3, 'data: {"error": {"message": "Engine died", "code": 500}}'),
      /^500 Engine died$/,
    ],
    [
      "an error with status 200",
      json(200, { error: { message: "Upstream died" } }),
      /Upstream died/,
    ],
    ["JSON of another shape", json(200, [1, 2]), /no completion/],
    [
      "a server out of resources",
      reply({ ...half, finish: "insufficient_system_resource" }),
      /finish_reason insufficient_system_resource/,
    ],
  ])("retries %s once and goes on", async (_, fault, reason) => {
    server.answer(fault, reply(fine));
    const options = calling();
    const got = await ask(options);
    expect(got.message).toEqual({ role: "assistant", content: "Fine.", calls: [] });
    expect(got.usage.output).toBe(40);
    expect(options.retries.map((retry) => retry.reason)).toEqual([expect.stringMatching(reason)]);
    expect(server.received[1]?.body).toEqual(server.received[0]?.body);
  });

  it("waits as long as the server asks, in seconds or until a date, within the bound", async () => {
    const slow = (headers: Record<string, string>) =>
      failure(429, { message: "Slow down" }, headers);
    // The server's clock is six hours behind ours.
    const theirs = Date.UTC(2025, 11, 31, 18);
    const until = (ms: number) => new Date(theirs + ms).toUTCString();
    server.answer(
      slow({ "retry-after": "7" }),
      slow({ "retry-after": until(30_000), date: until(0) }),
      slow({ "retry-after": "86400" }),
      slow({ "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT", date: until(0) }),
      slow({ "retry-after": "9".repeat(400) }),
      slow({ "retry-after": "soon" }),
      reply(fine),
    );
    const options = calling();
    await ask(options);
    expect(options.retries.map(({ waitSec, reason }) => [waitSec, reason])).toEqual([
      [7, "429 Slow down"],
      [30, "429 Slow down"],
      [60, "429 Slow down (the server asked for 86400 s, cut to 60 s)"],
      [60, "429 Slow down (the server asked for 251635096799 s, cut to 60 s)"],
      [60, "429 Slow down (the server asked for Infinity s, cut to 60 s)"],
      [60, "429 Slow down"],
    ]);
  });

  it("takes silence for a failure, but not a slow reply", async () => {
    const lines = ["one", "two", "three"].map((content) =>
      JSON.stringify({ choices: [{ delta: { content } }] }),
    );
    server.answer(silence, (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      lines.forEach((line, at) => {
        setTimeout(() => response.write(`data: ${line}\n\n`), 200 * (at + 1));
      });
      const end = JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] });
      setTimeout(() => response.end(`data: ${end}\n\ndata: [DONE]\n\n`), 800);
    });
    const options = calling();
    const got = await ask(options, { timeoutSec: 0.5 });
    expect(got.message.content).toBe("onetwothree");
    expect(options.retries.map((retry) => retry.reason)).toEqual([
      "no byte from the server for 0.5 s",
    ]);
  });

  it("gives up a stream of nothing but keep-alives", async () => {
    server.answer(keepAlive([": still here", ": PROCESSING"]), reply(fine));
    const options = calling();
    expect((await ask(options, { timeoutSec: 0.15 })).message.content).toBe("Fine.");
    expect(options.retries.map((retry) => retry.reason)).toEqual(["no part of a reply for 0.3 s"]);
  });

  it("keeps a reply whose stream breaks after its end", async () => {
    server.answer(partOf({ content: "Fine.", usage: null }, 4, "reset"));
    const options = calling();
    const got = await ask(options);
    expect([got.message.content, got.stop, options.retries]).toEqual(["Fine.", "end", []]);
  });

  it("tells a server that is not there", async () => {
    const { url } = server;
    await server.close();
    const gone = openaiModel(optionsFor("openai", `${url}/v1`, { attempts: 2 }));
    await expect(gone.complete(requestOf(opening), calling())).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(/no reply in 2 tries; .*ECONNREFUSED 127\.0\.0\.1:\d+/),
    });
    server = await openaiServer();
  });

  it("tells that the prompt does not fit", async () => {
    const message = "This model's maximum context length is 4096 tokens, you requested 5000";
    server.answer(failure(400, { message, code: 400, type: "BadRequestError" }));
    await expect(ask()).rejects.toMatchObject({ code: "context_exhausted" });
  });

  it.each([
    [
      401,
      `Incorrect API key provided: ${key}`,
      /provided: \[key\]\. Check the key in OPENAI_API_KEY/,
    ],
    [404, "The model `m-1` does not exist", /name of the model "m-1"/],
    [402, "Insufficient Balance", /402 Insufficient Balance/],
  ])("does not retry %i", async (status, message, says) => {
    server.answer(failure(status, { message }));
    const options = calling();
    await expect(ask(options)).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(says),
    });
    expect(options.retries).toEqual([]);
  });

  it("learns what a server wants and keeps to it", async () => {
    const wants = (message: string) => failure(400, { message });
    server.answer(
      wants("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      wants("stream_options: extra fields not permitted"),
      wants("seed: unknown parameter"),
      reply(fine),
      reply(fine),
    );
    const one = model();
    const request = { ...requestOf(opening), seed: 1 };
    const options = calling();
    await one.complete(request, options);
    expect(options.retries.map(({ waitSec, reason }) => [waitSec, reason])).toEqual([
      [0, "the server wants max_completion_tokens"],
      [0, "the server does not take stream_options"],
      [0, "the server does not take a seed"],
    ]);
    await one.complete(request, calling());
    const last = server.received.at(-1)?.body;
    expect(last).toMatchObject({ max_completion_tokens: 1000, stream: true });
    for (const field of ["max_tokens", "stream_options", "seed"]) {
      expect(last).not.toHaveProperty(field);
    }
  });

  it("sends reasoning back to a server that refuses to go on without it", async () => {
    await server.close();
    server = await openaiServer({ forgetful: true });
    const ls = { id: "c1", name: "bash", arguments: '{"command":"ls"}' };
    const message = "The reasoning_content in the thinking mode must be passed back to the API.";
    const thought = { fields: { reasoning_content: "Hm." }, calls: [ls] };
    server.answer(
      reply(thought),
      failure(400, { message, type: "invalid_request_error" }),
      wholeReply({ calls: [{ ...ls, id: "c2" }] }),
      reply(fine),
    );
    const one = model();
    const first = await one.complete(requestOf(opening), calling());
    const messages = answered(opening, first, ["a.py"]);
    const second = await one.complete(requestOf(messages), calling());
    await one.complete(requestOf(answered(messages, second, ["a.py"])), calling());
    const sent = server.received[3]?.body["messages"] as { role: string }[];
    expect(sent.filter(({ role }) => role === "assistant")).toMatchObject([
      { reasoning_content: "Hm." },
      { reasoning_content: "" },
    ]);
  });
});
