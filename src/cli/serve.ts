import { dirname, join } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import { redactorOf } from "../domain/redact.ts";
import { secretsOf } from "../domain/secrets.ts";
import { answerHook } from "../hosts/hook.ts";
import { Sidecar } from "../hosts/sidecar.ts";
import { noteTrouble } from "../hosts/trouble.ts";
import { stateFolderOf } from "../store/state-folder.ts";
import { gatherSettings } from "./config-file.ts";
import { configOf, sessionsOf } from "./hook.ts";
import { hookHosts } from "./hook-hosts.ts";
import type { Io } from "./io.ts";
import { mergeConfig } from "./merge-config.ts";
import { statePlace } from "./places.ts";
import type { ServeFlags } from "./serve-command.ts";
import { listenForSignals } from "./signals.ts";
import { version } from "./version.ts";

/**
 * Serves plan and memory until the other side goes, or Ctrl-C. Returns the exit status. Rejects with
 * PmcoderError `usage` for a wrong configuration, or not exactly one way to serve.
 */
export async function serve(flags: ServeFlags, io: Io): Promise<number> {
  const ways = [flags.stdio, flags.mcp, flags.http].filter((way) => way === true);
  if (ways.length !== 1) {
    throw new PmcoderError("usage", "serve wants exactly one of --stdio, --mcp and --http.");
  }
  if (flags.http) return serveHttp(flags, io);
  const sidecar = sidecarOf(flags, io);
  const streams = { input: io.stdin, output: io.stdout };
  if (flags.stdio) {
    const { serveStdio } = await import("../hosts/serve-stdio.ts");
    await serveStdio(sidecar, streams);
  } else {
    const { serveMcp } = await import("../hosts/serve-mcp.ts");
    await serveMcp(sidecar, { ...streams, version });
  }
  return 0;
}

function sidecarOf({ state, config }: ServeFlags, io: Io): Sidecar {
  const { env, cwd } = io;
  const folder = join(statePlace(state, io).folder, "hosts");
  const settings = gatherSettings({ env, cwd, arguments: config, flags: [] });
  return new Sidecar({
    folder,
    root: dirname(stateFolderOf(cwd).folder),
    version,
    config: mergeConfig(settings).config,
    redact: redactorOf(secretsOf(env)),
    warn: (what) => noteTrouble(folder, { at: Date.now(), host: "sidecar", what }),
  });
}

async function serveHttp({ port = 0, state }: ServeFlags, io: Io): Promise<number> {
  const { serveHooks } = await import("../hosts/serve-http.ts");
  const env = state === undefined ? io.env : { ...io.env, PMCODER_STATE: state };
  const server = await serveHooks({
    port,
    token: env["PMCODER_HOOK_TOKEN"] || undefined,
    isHost: (name) => hookHosts.some((host) => host === name),
    answer: (host, event) =>
      answerHook(event, {
        host,
        version,
        folderOf: (cwd) => sessionsOf(cwd, env),
        rootOf: (cwd) => dirname(stateFolderOf(cwd).folder),
        config: (warn) => configOf(env, warn),
        redact: redactorOf(secretsOf(env)),
        cwd: io.cwd,
        now: Date.now,
        elapsed: () => performance.now(),
        until: performance.now() + answerMs,
      }),
  });
  for (const host of hookHosts)
    io.stdout.write(`${JSON.stringify({ host, url: server.urlOf(host) })}\n`);
  const interruption = listenForSignals(io.signals, () => io.leave(130));
  await new Promise<void>((done) => {
    interruption.signal.addEventListener("abort", () => done(), { once: true });
  });
  interruption.release();
  await server.close();
  return 0;
}

/** Milliseconds an answer may take to read a log: as long as a hook of its own (our choice). */
const answerMs = 750;
