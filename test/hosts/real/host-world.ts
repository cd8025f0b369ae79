import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { readTrouble } from "../../../src/hosts/trouble.ts";
import { sh } from "../../cli/run-world.ts";
import type { Loopback } from "../../loopback/server.ts";
import { bridge } from "./played-model.ts";

/** The port at which a host finds its model, on a 127.0.0.1 of its own. */
const port = 8765;
export const modelUrl = `http://127.0.0.1:${port}`;
const project = fileURLToPath(new URL("../../..", import.meta.url));
const offline = fileURLToPath(new URL("offline.mjs", import.meta.url));
/** As users have it: compiled, since agents wait for it. */
export const compiled = [process.execPath, join(project, "dist", "src", "cli", "main.js")];
export const sidecarCommand = [...compiled, "serve", "--stdio"].join(" ");

export interface HostWorld {
  readonly folder: string;
  readonly home: string;
  /** The bundled repository with its bug, committed. */
  readonly repo: string;
}

/** A user's machine in a temporary folder, which goes when the running test ends. */
export function hostWorld(): HostWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pmcoder-host-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, repo] = [join(folder, "home"), join(folder, "stopwatch-text")];
  mkdirSync(home);
  cpSync(join(project, "assets", "demo", "repo"), repo, { recursive: true });
  sh(repo, "git init -q -b main && git add -A && git commit -qm start");
  return { folder, home, repo };
}

/** A folder with a host's adapter and what Python leaves beside it. */
export function adapterIn({ folder }: HostWorld, host: "mini-swe-agent" | "openhands"): string {
  const to = join(folder, "adapter");
  cpSync(join(project, "src", "hosts", host), to, { recursive: true });
  return to;
}

/** Holds that the bug is gone and nothing else was touched. */
export function expectMended({ repo }: HostWorld): void {
  expect(sh(repo, "git status --short")).toBe(" M src/parse.js\n");
  expect(sh(repo, "node --test --test-reporter=tap")).toContain("\n# fail 0\n");
}

/** The log of the only session, in which nothing went wrong. */
export function logOf({ repo }: HostWorld): string {
  const folder = join(repo, ".pmcoder", "hosts");
  const { troubles } = readTrouble(folder);
  expect(troubles).toEqual([]);
  const [log, ...more] = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  expect(more).toEqual([]);
  return join(folder, log ?? "");
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a program in the repository, with nothing of this machine's network but the model: what asks
 * for anything else is told that there is no network.
 */
export async function runOffline(
  { folder, home, repo }: HostWorld,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  server: Loopback,
): Promise<Ran> {
  const socket = join(folder, "model.sock");
  const close = await bridge(server, socket);
  const around = ["--unshare-net", "--unshare-pid", "--die-with-parent", "--chdir", repo];
  const mounts = ["--dev-bind", "/", "/", "--proc", "/proc"];
  const inside = [process.execPath, offline, socket, `${port}`, ...command];
  const PATH = [dirname(process.execPath), "/usr/bin", "/bin"].join(":");
  try {
    return await ended(
      spawn("bwrap", [...mounts, ...around, "--", ...inside], {
        env: {
          HOME: home,
          TMPDIR: folder,
          PATH,
          LANG: "C.UTF-8",
          NO_COLOR: "1",
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
  } finally {
    close();
    rmSync(socket, { force: true });
  }
}

function ended(child: ReturnType<typeof spawn>): Promise<Ran> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({
        code: code ?? -1,
        out: Buffer.concat(out).toString(),
        err: Buffer.concat(err).toString(),
      }),
    );
  });
}
