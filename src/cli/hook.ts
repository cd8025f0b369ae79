import { dirname, join } from "node:path";
import { redactorOf } from "../domain/redact.ts";
import { secretsOf } from "../domain/secrets.ts";
import { answerHook } from "../hosts/hook.ts";
import type { SessionRules } from "../hosts/session-state.ts";
import { stateFolderOf } from "../store/state-folder.ts";
import type { Env } from "./env.ts";
import { hookHosts } from "./hook-hosts.ts";
import { version } from "./version.ts";

/**
 * Milliseconds from the start of the process to its end, whatever happens: below the least time limit
 * that a host's settings can give, a second. PMCODER_HOOK_MS sets another. Our choice.
 */
const deadlineMs = 900;
/** Of these, what is kept for writing state and answer. */
const closingMs = 150;

export interface HookIo {
  readonly env: Env & Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadStream;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Ends the process, with status 0. */
  readonly leave: () => void;
}

/** Where the sessions of a state folder are kept. */
export const sessionsOf = (cwd: string, { PMCODER_STATE }: Env): string =>
  join(stateFolderOf(cwd, PMCODER_STATE || undefined).folder, "hosts");

/**
 * `pmcoder hook <host>`: reads an event on standard input and prints one JSON object, or nothing. The
 * host is never failed and never kept waiting beyond the deadline.
 */
export async function hook(host: string, io: HookIo): Promise<void> {
  const { env, cwd, stdin, leave } = io;
  const limit = Number(env.PMCODER_HOOK_MS) || deadlineMs;
  setTimeout(leave, Math.max(0, limit - performance.now()));
  if (env.PMCODER_HOOKS === "off") return leave();
  if (stdin.isTTY || !hookHosts.some((known) => known === host)) {
    io.complain(
      `pmcoder: hook wants one of ${hookHosts.join(", ")}, and an event on standard input; see pmcoder hook --help\n`,
    );
    return leave();
  }
  const answer = await answerHook(await textOf(stdin), {
    host,
    version,
    folderOf: (place) => sessionsOf(place, env),
    rootOf: (place) => dirname(stateFolderOf(place).folder),
    config: (warn) => configOf(env, warn),
    redact: redactorOf(secretsOf(env)),
    cwd,
    now: Date.now,
    elapsed: () => performance.now(),
    until: limit - closingMs,
  });
  if (answer !== null) io.write(`${answer}\n`);
  leave();
}

function textOf(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    stdin.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
    stdin.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
  });
}

/** The user's configuration, or the defaults where it is wrong. */
export async function configOf(
  env: Env,
  warn: (what: string) => void,
): Promise<SessionRules["config"]> {
  const { mergeConfig } = await import("./merge-config.ts");
  const { gatherSettings } = await import("./config-file.ts");
  try {
    return mergeConfig(gatherSettings({ env, cwd: "/", arguments: [], flags: [] })).config;
  } catch (error) {
    warn(`the defaults hold: ${error instanceof Error ? error.message : error}`);
    return mergeConfig([]).config;
  }
}
