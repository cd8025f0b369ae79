import { access, readFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { join } from "node:path";
import type Docker from "dockerode";
import { PmcoderError } from "../domain/errors.ts";
import type { Variables } from "./child-variables.ts";
import { type EngineAddress, namedAddress, showAddress, usualSockets } from "./docker-address.ts";
import { SshAgent } from "./docker-ssh.ts";

export interface Engine {
  readonly docker: Docker;
  /** Where it listens, as DOCKER_HOST would have it. */
  readonly address: string;
}

const PING_MS = 10_000;

/**
 * The engine that the caller's variables name, else one of this machine, asked whether it answers.
 * Throws PmcoderError `environment_lost` when none does, `usage` when DOCKER_HOST is no address.
 */
export async function connectEngine(env: Variables): Promise<Engine> {
  const address = namedAddress(env) ?? (await usualAddress(env));
  const shown = showAddress(address);
  try {
    // Loaded here, for it takes longer to load than the rest of pmcoder.
    const { default: Engines } = await import("dockerode");
    const docker = new Engines(await optionsOf(address, env));
    await within(PING_MS, docker.ping());
    return { docker, address: shown };
  } catch (cause) {
    throw new PmcoderError(
      "environment_lost",
      `Expected a Docker engine at ${shown}, but none answers: ${reasonOf(cause)}. Start it (Linux: sudo systemctl start docker; Docker Desktop: open it; Podman: systemctl --user start podman.socket), or name another in DOCKER_HOST.`,
      { cause },
    );
  }
}

async function usualAddress(env: Variables): Promise<EngineAddress> {
  const sockets = usualSockets(env);
  for (const path of sockets) {
    const stands = await access(path).then(
      () => true,
      () => false,
    );
    if (stands) return { kind: "socket", path };
  }
  return { kind: "socket", path: sockets[0] ?? "" };
}

/**
 * With an agent that keeps no connection: one that an engine has closed since would fail a request.
 */
type EngineOptions = Docker.DockerOptions & { readonly agent: http.Agent };

/** Each option is given, for what is left out the library takes from the process. */
async function optionsOf(address: EngineAddress, env: Variables): Promise<EngineOptions> {
  const none = { host: undefined, port: undefined, socketPath: undefined, username: undefined };
  const bare = {
    ...none,
    ...{ ca: undefined, cert: undefined, key: undefined, timeout: undefined },
    agent: new http.Agent(),
  };
  if (address.kind === "socket") {
    return { ...bare, protocol: "http", socketPath: address.path };
  }
  if (address.kind === "ssh") {
    return {
      ...bare,
      protocol: "http",
      host: "docker",
      port: 80,
      agent: new SshAgent(address, env),
    };
  }
  const { host, port } = address;
  if (address.certificates === null) return { ...bare, host, port, protocol: "http" };
  const folder = address.certificates;
  const [ca, cert, key] = await Promise.all(
    ["ca.pem", "cert.pem", "key.pem"].map((name) => readFile(join(folder, name))),
  );
  return { ...bare, host, port, protocol: "https", ca, cert, key, agent: new https.Agent() };
}

/** Rejects when the engine takes longer; what it was asked may still happen. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The engine's status for a request that it refused; undefined when it did not answer. */
export function statusOf(error: unknown): number | undefined {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === "number" ? status : undefined;
}

/** What the engine or the system said, in one line. */
export function reasonOf(error: unknown): string {
  const { json, message } = error as { json?: { message?: unknown }; message?: unknown };
  const said = typeof json?.message === "string" ? json.message : String(message ?? error);
  return said
    .replace(/^\(HTTP code \d+\) .*? - /, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
