import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the engine does with a request; false: it is for the next handler. */
export type Handler = (path: string, response: ServerResponse, request: IncomingMessage) => boolean;

export function reply(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
  return true;
}

export interface FakeEngine {
  readonly env: Readonly<Record<string, string>>;
  /** Method and path of each request. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** A Docker engine on a socket that answers pings, and what `handle` answers; else 404. */
export async function fakeEngine(handle: Handler): Promise<FakeEngine> {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-engine-"));
  const path = join(folder, "engine.sock");
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const asked = `${request.method} ${request.url}`;
    requests.push(asked);
    if (request.url === "/_ping") response.end("OK");
    else if (!handle(asked, response, request)) reply(response, 404, { message: "no such thing" });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    env: { DOCKER_HOST: `unix://${path}` },
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}
