import { describe, expect, it } from "vitest";
import { BrokenReply, type Endpoint, judgeFailure } from "../../src/models/failure.ts";

const endpoint: Endpoint = {
  name: "openai:m",
  model: "m",
  baseUrl: "http://box:8000",
  key: "hunter2-hunter2",
  keyVariable: "PMCODER_API_KEY",
};

/** An error as an SDK throws it: status, and the server's error object. */
function refused(status: number | undefined, error: object, headers: Record<string, string> = {}) {
  return Object.assign(new Error("SDK"), { status, error, headers: new Headers(headers) });
}

const judge = (error: unknown) => judgeFailure(error, endpoint, Date.UTC(2026, 0, 1));
const codeOf = (error: unknown) => {
  const verdict = judge(error);
  return verdict.kind === "again" ? "again" : verdict.error.code;
};

describe("judgeFailure", () => {
  it.each([
    ["OpenAI", 400, { message: "too long", code: "context_length_exceeded" }],
    ["vLLM", 400, { message: "This model's maximum context length is 4096 tokens.", code: 400 }],
    ["llama.cpp", 400, { message: "too much", type: "exceed_context_size_error" }],
    ["llama.cpp", 500, { message: "Context size has been exceeded.", type: "server_error" }],
    ["llama.cpp", 400, { message: "the request exceeds the available context size" }],
    ["LM Studio", 400, { message: "keep the first 99 tokens when context the overflows" }],
    [
      "Mistral",
      400,
      { message: "Prompt is too large for model with 32768 maximum context length" },
    ],
    ["Gemini", 400, { message: "The input token count (9) exceeds the maximum number allowed" }],
    ["a proxy", 413, { message: "Payload Too Large" }],
    ["a stream", undefined, { message: "prompt is too long: 2 tokens > 1 maximum" }],
  ])("knows an overflow by the words of %s (%s)", (_, status, error) => {
    expect(codeOf(refused(status, error))).toBe("context_exhausted");
  });

  it.each([408, 409, 429, 500, 502, 503, 504, 529])("tries again after %i", (status) => {
    expect(codeOf(refused(status, { message: "no" }))).toBe("again");
  });

  it.each([400, 401, 402, 403, 404, 405, 410, 415, 422])("gives up after %i", (status) => {
    expect(codeOf(refused(status, { message: "no" }))).toBe("model_unavailable");
  });

  it.each([
    ["an overload", { type: "overloaded_error", message: "busy" }, "again"],
    ["an error of its own", { type: "api_error", message: "oops" }, "again"],
    ["a code of the upstream", { code: 502, message: "bad gateway" }, "again"],
    [
      "a request that is wrong",
      { type: "invalid_request_error", message: "no" },
      "model_unavailable",
    ],
    ["a code for a wrong request", { code: 400, message: "no" }, "model_unavailable"],
  ])("judges %s within a stream by what it says", (_, error, verdict) => {
    expect(codeOf(refused(undefined, error))).toBe(verdict);
  });

  it.each([
    [500, "false", "model_unavailable"],
    [429, "false", "model_unavailable"],
    [400, "true", "again"],
    [400, "maybe", "model_unavailable"],
  ])("obeys what the server says of another try: %i, %s", (status, said, verdict) => {
    const headers = { "x-should-retry": said };
    expect(codeOf(refused(status, { message: "no" }, headers))).toBe(verdict);
  });

  it("does not wait for money", () => {
    const broke = { message: "You exceeded your current quota", code: "insufficient_quota" };
    expect(codeOf(refused(429, broke))).toBe("model_unavailable");
  });

  it.each([
    ["a broken reply", new BrokenReply("half a stream"), "half a stream"],
    [
      "a refused connection",
      Object.assign(new Error("Connection error."), {
        cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), {
          code: "ECONNREFUSED",
        }),
      }),
      "connect ECONNREFUSED 127.0.0.1:9",
    ],
    [
      "a broken connection",
      Object.assign(new Error("aborted"), { code: "ECONNRESET" }),
      "aborted (ECONNRESET)",
    ],
    ["something that is no error", "what?", "what?"],
  ])("says what happened: %s", (_, error, reason) => {
    expect(judge(error)).toMatchObject({ kind: "again", reason, askedSec: null });
  });

  const date = (time: string) => `Thu, 01 Jan 2026 ${time} GMT`;
  it.each([
    [{ "retry-after": "12" }, 12],
    [{ "retry-after": "12", "retry-after-ms": "250" }, 0.25],
    [{ "retry-after": "12", "retry-after-ms": "-1" }, 12],
    [{ "retry-after": date("00:00:30") }, 30],
    [{ "retry-after": date("05:00:30"), date: date("05:00:00") }, 30],
    [{ "retry-after": date("05:00:00"), date: date("05:00:30") }, null],
    [{ "retry-after": date("00:00:30"), date: "yesterday" }, 30],
    [{ date: date("00:00:30") }, null],
  ])("passes on what the server asks for: %j, %j s", (headers, askedSec) => {
    const error = refused(429, { message: "slow" }, headers);
    expect(judge(error)).toMatchObject({ reason: "429 slow", askedSec });
  });

  it.each([
    [
      401,
      {},
      "openai:m at http://box:8000 refused the request: 401 no. Check the key in PMCODER_API_KEY: it is wrong, has expired, or may not use this model.",
    ],
    [
      404,
      {},
      'openai:m at http://box:8000 refused the request: 404 no. Check the name of the model "m", and the base URL: most servers want it to end in /v1.',
    ],
    [
      301,
      { location: "https://box/v1" },
      "openai:m at http://box:8000 refused the request: 301 no. Use https://box/v1 as the base URL.",
    ],
    [
      422,
      {},
      "openai:m at http://box:8000 refused the request: 422 no. Nothing was retried, since the same request would fail again.",
    ],
  ])("says what to do about %i", (status, headers: Record<string, string>, message) => {
    const verdict = judge(refused(status, { message: "no" }, headers));
    expect(verdict).toMatchObject({ kind: "give_up", error: { message } });
  });

  it("cuts long texts, joins their lines, and never shows a key", () => {
    const said = `Bad key hunter2-hunter2\n  and sk-abc***wxyz. ${"x".repeat(400)}`;
    const verdict = judge(refused(503, { message: said }));
    if (verdict.kind !== "again") throw new Error("expected another try");
    expect(verdict.reason).toMatch(/^503 Bad key \[key\] and \[key\] x+…$/);
    expect(verdict.reason.length).toBeLessThan(310);
    expect(verdict.cause).toEqual({});
  });
});
