import Anthropic from "@anthropic-ai/sdk";
import type { Model, ModelReply, ModelRequest } from "../domain/model.ts";
import type { AdapterOptions } from "./adapter-options.ts";
import { readReply } from "./anthropic-reply.ts";
import { anthropicRequest } from "./anthropic-request.ts";
import { judgeFailure, refusalText } from "./failure.ts";
import { type Verdict, withRetries } from "./retry.ts";
import { withoutStalls } from "./stall.ts";
import { noTimeoutMs, patientFetch } from "./transport.ts";

function clientFor({ endpoint, config }: AdapterOptions): Anthropic {
  return new Anthropic({
    apiKey: endpoint.key,
    baseURL: endpoint.baseUrl ?? "https://api.anthropic.com",
    maxRetries: 0,
    timeout: noTimeoutMs,
    logLevel: "off",
    openTelemetry: false,
    fetch: patientFetch(config.timeoutSec),
    // The SDK sends a bearer token; servers that only imitate the API know the older header.
    ...(endpoint.baseUrl === null ? {} : { defaultHeaders: { "x-api-key": endpoint.key } }),
  });
}

/**
 * Claude through the Messages API: streamed, retried by us (the SDK's own retries stop at the
 * headers, while overload often arrives after them). Thinking blocks go back as they came; if the
 * API refuses one, they are left out from then on.
 */
export function anthropicModel(options: AdapterOptions): Model {
  const { endpoint, price, config, clock } = options;
  const client = clientFor(options);
  let sendThinking = true;

  const judge = (error: unknown): Verdict => {
    if (sendThinking && /thinking|signature/i.test(refusalText(error) ?? "")) {
      sendThinking = false;
      const reason = "the API refused earlier thinking blocks, so they are left out";
      return { kind: "again", reason, askedSec: 0, cause: { cause: error } };
    }
    return judgeFailure(error, endpoint, clock.now());
  };

  const attempt = async (request: ModelRequest, signal: AbortSignal): Promise<ModelReply> => {
    const style = { model: endpoint.model, promptCache: config.promptCache, sendThinking };
    const stream = await client.messages.create(anthropicRequest(request, style), { signal });
    return readReply(withoutStalls(stream, config.timeoutSec));
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
