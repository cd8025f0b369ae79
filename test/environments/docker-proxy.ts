import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectEngine } from "../../src/environments/docker-engine.ts";

export interface EngineProxy {
  readonly env: Readonly<Record<string, string>>;
  /** Requests that begin with this are taken and never answered. */
  swallow(start: string): void;
  /** Of what the engine says next, this many bytes get through; then the connection ends. */
  cutAfter(bytes: number): void;
  /** As when the engine is stopped: every connection ends, and no other is taken. */
  stop(): Promise<void>;
}

/** Stands before the real engine of this machine, to do to connections what happens to them. */
export async function engineProxy(): Promise<EngineProxy> {
  const { address } = await connectEngine(process.env);
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-proxy-"));
  const path = join(folder, "engine.sock");
  const sockets = new Set<Socket>();
  let swallowed: string | undefined;
  let left: number | undefined;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const engine = connect({ path: address.replace("unix://", ""), allowHalfOpen: true });
    for (const [socket, other] of [
      [client, engine],
      [engine, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => sockets.delete(socket));
      socket.on("end", () => other.end());
    }
    client.on("data", (chunk) => {
      if (swallowed === undefined || !chunk.toString("latin1").startsWith(swallowed)) {
        engine.write(chunk);
      }
    });
    engine.on("data", (chunk) => {
      if (left === undefined) return client.write(chunk);
      client.end(chunk.subarray(0, left));
      left = undefined;
      return engine.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    env: { DOCKER_HOST: `unix://${path}` },
    swallow: (start) => {
      swallowed = start;
    },
    cutAfter: (bytes) => {
      left = bytes;
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      rmSync(folder, { recursive: true });
    },
  };
}
