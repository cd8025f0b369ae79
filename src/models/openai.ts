import OpenAI from "openai";
import type { Model, ModelReply, ModelRequest } from "../domain/model.ts";
import type { AdapterOptions } from "./adapter-options.ts";
import { BrokenReply, judgeFailure, refusalText } from "./failure.ts";
import { adapt, dialectOf } from "./openai-dialect.ts";
import { readReply } from "./openai-reply.ts";
import { openaiRequest } from "./openai-request.ts";
import { Chunk, ErrorBody } from "./openai-wire.ts";
import { type Verdict, withRetries } from "./retry.ts";
import { type Stream, withoutStalls } from "./stall.ts";
import { noTimeoutMs, patientFetch } from "./transport.ts";

/** A client that retries nothing by itself and sends no key or organisation to another's server. */
export function clientFor({
  endpoint,
  config,
}: Pick<AdapterOptions, "endpoint" | "config">): OpenAI {
  return new OpenAI({
    apiKey: endpoint.key,
    adminAPIKey: null,
    baseURL: endpoint.baseUrl ?? "https://api.openai.com/v1",
    maxRetries: 0,
    timeout: noTimeoutMs,
    logLevel: "off",
    fetch: patientFetch(config.timeoutSec),
    // An organisation from the environment is for OpenAI itself, not for whoever the base URL is.
    ...(endpoint.baseUrl === null ? {} : { organization: null, project: null }),
  });
}

function chunkOf(value: unknown): Chunk {
  const chunk = Chunk.safeParse(value);
  if (!chunk.success) throw new BrokenReply("the server sent something that is no completion");
  return chunk.data;
}

/** The reply's chunks, also from a server that answers a streaming request with one JSON value. */
async function* chunksOf(
  stream: Stream<unknown>,
  response: Response,
  silenceSec: number,
): AsyncIterable<Chunk> {
  if (!response.headers.get("content-type")?.includes("application/json")) {
    for await (const value of withoutStalls(stream, silenceSec)) yield chunkOf(value);
    return;
  }
  const value: unknown = await response.json();
  const failed = ErrorBody.safeParse(value).data;
  if (failed) throw Object.assign(new BrokenReply("the server sent an error"), failed);
  yield chunkOf(value);
}

/**
 * Any server that speaks OpenAI's chat completions: OpenAI, vLLM, Ollama, llama.cpp, DeepSeek,
 * OpenRouter. Streamed, so that a slow model is told from a dead server; retried by us.
 */
export function openaiModel(options: AdapterOptions): Model {
  const { endpoint, price, config, clock } = options;
  const client = clientFor(options);
  let dialect = dialectOf(endpoint.baseUrl);

  const judge = (error: unknown): Verdict => {
    const adapted = adapt(dialect, refusalText(error) ?? "");
    if (adapted === null) return judgeFailure(error, endpoint, clock.now());
    dialect = adapted.dialect;
    return { kind: "again", reason: adapted.reason, askedSec: 0, cause: { cause: error } };
  };

  const attempt = async (request: ModelRequest, signal: AbortSignal): Promise<ModelReply> => {
    const params = openaiRequest(request, endpoint.model, dialect);
    const { data, response } = await client.chat.completions
      .create(params, { signal })
      .withResponse();
    return readReply(chunksOf(data, response, config.timeoutSec), request, config);
  };

  return {
    name: endpoint.name,
    price,
    complete: (request, call) =>
      withRetries((signal) => attempt(request, signal), {
        ...call,
        name: endpoint.name,
        policy: config,
        clock,
        judge,
      }),
  };
}
