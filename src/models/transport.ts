import http from "node:http";
import https from "node:https";
import { Readable } from "node:stream";
import { BrokenReply } from "./failure.ts";

/** The part of `fetch` that the SDKs use. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** For an SDK's own timeout, which counts from the request: silence is what ends a reply here. */
export const noTimeoutMs = 2 ** 31 - 1;

const withoutBody = new Set([204, 205, 304]);

function headersOf(message: http.IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
    headers.append(message.rawHeaders[at] ?? "", message.rawHeaders[at + 1] ?? "");
  }
  return headers;
}

function responseOf(message: http.IncomingMessage): Response {
  const status = message.statusCode ?? 502;
  const body = withoutBody.has(status) ? null : (Readable.toWeb(message) as ReadableStream);
  return new Response(body, { status, headers: headersOf(message) });
}

function open(url: URL, init: RequestInit, timeoutMs: number): http.ClientRequest {
  const { request } = url.protocol === "https:" ? https : http;
  return request(url, {
    method: init.method ?? "GET",
    headers: Object.fromEntries(new Headers(init.headers)),
    timeout: timeoutMs,
    ...(init.signal ? { signal: init.signal } : {}),
  });
}

/**
 * `fetch` over node:http, for one purpose: Node's own gives up after 300 s without headers or body
 * and cannot be told otherwise, while a local model may think for longer. This one gives up after
 * `silenceSec` seconds without a byte in either direction, before or within the reply.
 */
export function patientFetch(silenceSec: number): Fetch {
  const silence = () => new BrokenReply(`no byte from the server for ${silenceSec} s`);
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const request = open(url, init, silenceSec * 1000);
      const giveUp = () => request.destroy(silence());
      request.on("timeout", giveUp);
      request.once("error", reject);
      request.once("response", (message) => {
        request.off("timeout", giveUp);
        request.on("timeout", () => message.destroy(silence()));
        resolve(responseOf(message));
      });
      request.end(typeof init.body === "string" ? init.body : undefined);
    });
}
