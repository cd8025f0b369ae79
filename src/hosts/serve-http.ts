import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PmcoderError } from "../domain/errors.ts";

/** Bytes of an event: hosts send the whole output of a command along. Our choice. */
const mostBytes = 64_000_000;
const hostname = "127.0.0.1";

export interface HookServer {
  /** Where a host's settings send its events. */
  urlOf(host: string): string;
  close(): Promise<void>;
}

export interface HookServerOptions {
  /** 0: a free one. */
  readonly port: number;
  /** Left out: a random one. */
  readonly token?: string | undefined;
  readonly isHost: (name: string) => boolean;
  /** Takes an event's text; null: there is nothing to say. Never rejects. */
  readonly answer: (host: string, event: string) => Promise<string | null>;
}

/**
 * Answers hooks of type `http` on this machine alone, for whoever knows the token in the address.
 * Rejects with PmcoderError `usage` when the port is taken.
 */
export async function serveHooks(options: HookServerOptions): Promise<HookServer> {
  const token = options.token ?? randomBytes(16).toString("hex");
  const server = createServer((request, response) => {
    take(request, { ...options, token }).then(
      ([status, body]) => send(response, status, body),
      () => send(response, 200, "{}"),
    );
  });
  const { port } = await listening(server, options.port);
  return {
    urlOf: (host) => `http://${hostname}:${port}/hook/${host}?token=${token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Guarded = HookServerOptions & { readonly token: string };

async function take(request: IncomingMessage, options: Guarded): Promise<[number, string]> {
  const url = new URL(request.url ?? "/", `http://${hostname}`);
  const host = /^\/hook\/([\w-]+)$/.exec(url.pathname)?.[1] ?? "";
  // Another site's page, under whatever name, neither knows the token nor may send this type.
  const isJson = request.headers["content-type"]?.startsWith("application/json") === true;
  if (!isSame(url.searchParams.get("token") ?? "", options.token)) return [403, "{}"];
  if (request.method !== "POST" || !isJson) return [405, "{}"];
  if (!options.isHost(host)) return [404, "{}"];
  return [200, (await options.answer(host, await textOf(request))) ?? "{}"];
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes <= mostBytes) chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(body);
}

function listening(server: Server, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const message = `Port ${port} of ${hostname} cannot be used: ${cause.message}. Choose another one with --port.`;
      reject(new PmcoderError("usage", message, { cause }));
    });
    server.listen(port, hostname, () => {
      const address = server.address();
      if (address !== null && typeof address === "object") resolve(address);
    });
  });
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
