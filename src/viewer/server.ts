import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { PmcoderError } from "../domain/errors.ts";
import type { Assets } from "./export.ts";
import { guarded } from "./guard.ts";
import type { Library } from "./library.ts";
import { viewerRoutes } from "./routes.ts";

export interface Viewer {
  /** What to open in a browser for a path such as `/episode/KEY`: with the token. */
  urlOf(path: string): string;
  close(): Promise<void>;
}

export interface ViewerOptions {
  readonly library: Library;
  readonly assets: Assets;
  /** 0 or left out: a free one. */
  readonly port?: number;
}

const hostname = "127.0.0.1";

/**
 * Serves the pages of a library on this machine alone until it is closed, which closes the library
 * too. Rejects with PmcoderError `usage` when the port is taken; the library is closed then.
 */
export async function serveViewer({ library, assets, port = 0 }: ViewerOptions): Promise<Viewer> {
  const token = randomBytes(16).toString("hex");
  const app = new Hono();
  const ending = new AbortController();
  const { server, address } = await listening(app, port).catch(async (error: unknown) => {
    await library.close();
    throw error;
  });
  app.use(guarded({ token, port: address.port }));
  app.route("/", viewerRoutes(library, assets, ending.signal));
  return {
    urlOf: (path) => {
      const url = new URL(path, `http://${hostname}:${address.port}`);
      url.searchParams.set("token", token);
      return url.href;
    },
    close: async () => {
      ending.abort();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
      await library.close();
    },
  };
}

function listening(app: Hono, port: number) {
  return new Promise<{ server: ReturnType<typeof serve>; address: AddressInfo }>(
    (resolve, reject) => {
      const server = serve({ fetch: app.fetch, hostname, port }, (address) =>
        resolve({ server, address }),
      );
      server.once("error", (cause) => {
        const message = `Port ${port} of ${hostname} cannot be used: ${cause.message}. Choose another one with --port.`;
        reject(new PmcoderError("usage", message, { cause }));
      });
    },
  );
}
