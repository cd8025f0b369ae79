import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import { SweExpMemoryConfig } from "../../src/domain/config/swe-exp-memory.ts";
import { openEmbedder } from "../../src/models/open-embedder.ts";
import { json, type Loopback, resetAtOnce, serve } from "../loopback/server.ts";
import { stoppedClock } from "../stopped-clock.ts";

/** What OpenAI and its likes refuse. */
function rules(received: Loopback["received"]): readonly string[] {
  const { path, headers, body } = received.at(-1) ?? { path: "", headers: {}, body: {} };
  const { model, input } = body as { model?: unknown; input?: unknown };
  const texts = Array.isArray(input) && input.every((text) => typeof text === "string");
  return [
    ...(path === "/v1/embeddings" ? [] : [`no such path ${path}`]),
    ...(headers["authorization"] === "Bearer none" ? [] : ["a key for a server of this machine"]),
    ...(typeof model === "string" && texts ? [] : ["model and a list of texts are wanted"]),
  ];
}

const embeddings = (...vectors: readonly (readonly number[])[]) =>
  json(200, {
    object: "list",
    data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
    model: "e-1",
    usage: { prompt_tokens: 3, total_tokens: 3 },
  });

describe("an OpenAI-compatible embedder", () => {
  let server: Loopback;
  beforeEach(async () => {
    server = await serve(rules);
  });
  afterEach(() => server.close());

  const { signal } = new AbortController();
  const open = async (config: object = {}) => {
    const { embedder } = SweExpMemoryConfig.parse({
      embedder: { model: "e-1", baseUrl: `${server.url}/v1`, queryPrefix: "find: ", ...config },
    });
    const found = await openEmbedder(embedder, RunConfig.parse({}).model, {}, stoppedClock());
    if (found === null) throw new Error("none was opened");
    return found;
  };
  const inputs = () => server.received.map(({ body }) => (body as { input: unknown }).input);

  it("gives unit vectors in the order of the texts", async () => {
    server.answer(
      json(200, {
        data: [
          { index: 1, embedding: [0, 2] },
          { index: 0, embedding: [3, 4] },
        ],
      }),
    );
    const embedder = await open();
    expect(await embedder.embed(["a", "b"], "document", signal)).toEqual([
      [0.6, 0.8],
      [0, 1],
    ]);
    expect(embedder.name).toBe("embed:e-1");
  });

  it("puts the instruction before what is looked for, and cuts what is too long", async () => {
    server.answer(embeddings([1]), embeddings([1]));
    const embedder = await open({ maxChars: 4 });
    await embedder.embed(["abcdefgh"], "query", signal);
    await embedder.embed(["abcdefgh"], "document", signal);
    expect(inputs()).toEqual([["find: abcd"], ["abcd"]]);
  });

  it("tries again when the server fails or sends something else", async () => {
    server.answer(
      json(503, { error: { message: "loading" } }),
      resetAtOnce,
      embeddings([1], [2]),
      json(200, { data: "none" }),
      embeddings([5]),
    );
    expect(await (await open()).embed(["a"], "query", signal)).toEqual([[1]]);
    expect(inputs()).toHaveLength(5);
  });

  it.each([
    [404, /refused the request/],
    [401, /refused the request/],
  ])("gives up on status %i", async (status, message) => {
    server.answer(json(status, { error: { message: "no" } }));
    await expect((await open()).embed(["a"], "query", signal)).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(message),
    });
  });

  it("ends at once when it is interrupted", async () => {
    const aborted = AbortSignal.abort();
    await expect((await open()).embed(["a"], "query", aborted)).rejects.toMatchObject({
      code: "interrupted",
    });
  });

  it("asks nothing for no texts", async () => {
    expect(await (await open()).embed([], "query", signal)).toEqual([]);
  });
});

it("opens no embedder where none is configured", async () => {
  const { embedder } = SweExpMemoryConfig.parse({});
  expect(await openEmbedder(embedder, RunConfig.parse({}).model, {}, stoppedClock())).toBeNull();
});
