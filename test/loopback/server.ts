import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Received, Rules } from "./request-rules.ts";

/** What the server does with one request. */
export type Answer = (response: ServerResponse) => void;

export interface Loopback {
  readonly url: string;
  readonly received: readonly Received[];
  /** Queues answers, one a request. */
  answer(...answers: Answer[]): void;
  /** Throws if a request broke a rule or an answer was not asked for. */
  close(): Promise<void>;
}

/** A JSON answer, an error more often than not. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
}

/** How a stream ends: as it should, with the connection reset, or never. */
export type End = "whole" | "reset" | "silence";

/** Server-sent events, one chunk each. */
export function events(lines: readonly string[], end: End = "whole"): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const line of lines) response.write(`${line}\n\n`);
    if (end === "whole") response.end();
    if (end === "reset") setTimeout(() => response.socket?.resetAndDestroy(), 20);
  };
}

/** A stream that says one of these lines every 20 ms, and nothing else. */
export function keepAlive(lines: readonly string[]): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    let said = 0;
    const timer = setInterval(() => response.write(`${lines[said++ % lines.length]}\n\n`), 20);
    response.once("close", () => clearInterval(timer));
  };
}

/** Takes the request and says nothing. */
export const silence: Answer = () => {};

export const resetAtOnce: Answer = (response) => {
  response.socket?.resetAndDestroy();
};

/** As the APIs refuse a request that breaks their rules, so that a run does not go on with one. */
const refusal = (violations: readonly string[]) =>
  json(400, {
    type: "error",
    error: { type: "invalid_request_error", message: violations.join("; ") },
  });

/** What the server answers by itself when nothing is queued. */
export type Respond = (received: Received) => Answer;

const runOut: Respond = () => json(418, { error: { message: "the script has run out" } });

/**
 * An HTTP server on 127.0.0.1 that answers from a script and holds every request against `rules`:
 * one that breaks them is refused, and whoever closes the server is told.
 */
export async function serve(rules: Rules, respond: Respond = runOut): Promise<Loopback> {
  const queue: Answer[] = [];
  const received: Received[] = [];
  const violations: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const newest = { path: request.url ?? "", headers: request.headers, body };
      received.push(newest);
      const broken = rules(received);
      violations.push(...broken.map((rule) => `request ${received.length}: ${rule}`));
      const next = queue.shift() ?? respond(newest);
      (broken.length > 0 ? refusal(broken) : next)(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (...answers) => void queue.push(...answers),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (queue.length > 0) violations.push(`${queue.length} answers were never asked for`);
      if (violations.length > 0) throw new Error(violations.join("\n"));
    },
  };
}
