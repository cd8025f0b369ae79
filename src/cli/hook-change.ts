import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PmcoderError } from "../domain/errors.ts";
import { hasHooks, withHooks, withoutHooks } from "../hosts/hook-settings.ts";
import type { Env } from "./env.ts";
import type { InstallHost } from "./hook-command.ts";
import { shellWord } from "./terminal-text.ts";

/** Where a host reads what we change. */
export interface HostPlaces {
  readonly env: Env & Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  /** The repository's top; null: the user's own settings. */
  readonly project: string | null;
}

/** The settings file, or the file that is ours alone. */
export function fileOf(host: InstallHost, { env, home, project }: HostPlaces): string {
  const config = env.XDG_CONFIG_HOME || join(home, ".config");
  switch (host) {
    case "qwen-code":
      return join(project ? join(project, ".qwen") : qwenHome(env, home), "settings.json");
    case "claude-code":
      return project
        ? join(project, ".claude", "settings.local.json")
        : join(env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), "settings.json");
    case "pi":
      return join(
        project ? join(project, ".pi") : join(home, ".pi", "agent"),
        "extensions",
        "pmcoder.ts",
      );
    case "opencode":
      return join(
        project ? join(project, ".opencode") : join(config, "opencode"),
        "plugin",
        "pmcoder.js",
      );
  }
}

const qwenHome = (env: HostPlaces["env"], home: string) => env["QWEN_HOME"] || join(home, ".qwen");

/** How the installed package is run. */
export interface Program {
  readonly node: string;
  /** The package's folder. */
  readonly root: string;
}

const mainOf = ({ root }: Program) => join(root, "dist", "src", "cli", "main.js");

/** Opens a file that is ours alone, and tells it from one that is not. */
const mark = "// Plan and memory of pmcoder";

export interface Texts {
  readonly host: InstallHost;
  readonly file: string;
  /** What stands there; null: nothing. */
  readonly before: string | null;
}

/**
 * What the file is to hold with plan and memory in it; `template` is the plugin's text for hosts that
 * take one. Throws PmcoderError `usage` for a file that cannot be changed without loss.
 */
export function installed(
  { host, file, before }: Texts,
  program: Program,
  template: string,
): string {
  if (host === "qwen-code" || host === "claude-code") {
    const words = [program.node, mainOf(program), "hook", host];
    return withHooks(before, words.map(shellWord).join(" "), file);
  }
  requireOurs(file, before);
  const name = host === "pi" ? "extension.js" : "plugin.js";
  const module = pathToFileURL(join(program.root, "dist", "src", "hosts", host, name)).href;
  const place = JSON.stringify({ node: program.node, main: mainOf(program) });
  return template
    .replace("{{place}}", () => place)
    .replace("{{module}}", () => JSON.stringify(module));
}

/** The same without them; null: the file goes. */
export function uninstalled({ host, file, before }: Texts): string | null {
  if (before === null) return null;
  if (host === "qwen-code" || host === "claude-code") {
    return hasHooks(before, host) ? withoutHooks(before, host, file) : before;
  }
  requireOurs(file, before);
  return null;
}

function requireOurs(file: string, before: string | null): void {
  if (before === null || before.startsWith(mark)) return;
  throw new PmcoderError(
    "usage",
    `${file} was not made by pmcoder. Nothing was changed; move it away first.`,
  );
}

const context = 3;

/** What changes, line by line: the lines taken away, those put there, and a few around them. */
export function differences(before: string | null, after: string | null): readonly string[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  const start = old.findIndex((line, at) => line !== next[at]);
  const same = start === -1 ? old.length : start;
  let end = 0;
  const most = Math.min(old.length, next.length) - same;
  while (end < most && old.at(-1 - end) === next.at(-1 - end)) end += 1;
  const marked = (sign: string, lines: readonly string[]) => lines.map((line) => `${sign}${line}`);
  return [
    ...marked(" ", old.slice(Math.max(0, same - context), same)),
    ...marked("-", old.slice(same, old.length - end)),
    ...marked("+", next.slice(same, next.length - end)),
    ...marked(" ", old.slice(old.length - end, old.length - end + context)),
  ];
}

const linesOf = (text: string | null) =>
  text === null || text === "" ? [] : text.replace(/\n$/, "").split("\n");
