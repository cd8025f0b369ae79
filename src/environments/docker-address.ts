import { join } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import type { Variables } from "./child-variables.ts";

/** Where an engine listens. */
export type EngineAddress =
  | { readonly kind: "socket"; readonly path: string }
  | {
      readonly kind: "tcp";
      readonly host: string;
      readonly port: number;
      /** Folder of ca.pem, cert.pem and key.pem; null: without TLS. */
      readonly certificates: string | null;
    }
  | {
      readonly kind: "ssh";
      readonly host: string;
      /** null: what the user's ssh makes of it. */
      readonly port: number | null;
      readonly user: string | null;
    };

/**
 * The engine that DOCKER_HOST names, as Docker's own programs read it; null when it is not set.
 * Throws PmcoderError `usage` when it is no address.
 */
export function namedAddress(env: Variables): EngineAddress | null {
  const host = env["DOCKER_HOST"];
  if (host === undefined || host === "") return null;
  if (host.startsWith("unix://")) return { kind: "socket", path: host.slice("unix://".length) };
  const text = host.includes("://") ? host : `tcp://${host}`;
  if (!URL.canParse(text)) throw refusal(host);
  const url = new URL(text);
  if (url.hostname === "") throw refusal(host);
  switch (url.protocol) {
    case "ssh:":
      return {
        kind: "ssh",
        host: url.hostname,
        port: url.port === "" ? null : Number(url.port),
        user: url.username || null,
      };
    case "tcp:":
    case "http:":
    case "https:":
      return tcpAddress(url, env);
    default:
      throw refusal(host);
  }
}

function tcpAddress(url: URL, env: Variables): EngineAddress {
  const folder = env["DOCKER_CERT_PATH"];
  const secure = Boolean(env["DOCKER_TLS_VERIFY"]) || Boolean(folder) || url.protocol === "https:";
  const home = join(env["HOME"] ?? "/", ".docker");
  return {
    kind: "tcp",
    host: url.hostname,
    port: Number(url.port || (secure ? 2376 : 2375)),
    certificates: secure ? folder || home : null,
  };
}

function refusal(host: string): PmcoderError {
  return new PmcoderError(
    "usage",
    `DOCKER_HOST is ${JSON.stringify(host)}: expected unix:///PATH, tcp://HOST:PORT or ssh://USER@HOST. Correct it, or unset it for this machine's own engine.`,
  );
}

/** Sockets where an engine of this machine may listen: Docker's, Docker Desktop's, Podman's. */
export function usualSockets(env: Variables): readonly string[] {
  const { HOME: home, XDG_RUNTIME_DIR: runtime } = env;
  return [
    "/var/run/docker.sock",
    ...(home ? [join(home, ".docker/run/docker.sock")] : []),
    ...(runtime ? [join(runtime, "docker.sock"), join(runtime, "podman/podman.sock")] : []),
    "/run/podman/podman.sock",
  ];
}

/** As DOCKER_HOST would have it. */
export function showAddress(address: EngineAddress): string {
  switch (address.kind) {
    case "socket":
      return `unix://${address.path}`;
    case "tcp":
      return `tcp://${address.host}:${address.port}`;
    case "ssh": {
      const { user, host, port } = address;
      return `ssh://${user === null ? "" : `${user}@`}${host}${port === null ? "" : `:${port}`}`;
    }
  }
}
