import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A commit of a made history, oldest first; it stands on the one before unless `parents` says. */
export interface Made {
  readonly message: string;
  readonly put?: Readonly<Record<string, string>>;
  readonly move?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  /** Places of its parents in the list. */
  readonly parents?: readonly number[];
  /** Seconds since 1970 and a zone; default: a minute after the one before. */
  readonly when?: string;
}

const sealed = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

export function gitAt(folder: string, args: readonly string[], input?: Buffer): string {
  const env = { PATH: process.env["PATH"], ...sealed };
  const options = { cwd: folder, env, input, maxBuffer: 1 << 28 };
  return execFileSync("git", args, { ...options, stdio: ["pipe", "pipe", "pipe"] }).toString();
}

/** A real repository with this history, checked out; it goes when the running test ends. */
export function repositoryOf(commits: readonly Made[]): string {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-history-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  gitAt(folder, ["init", "-q", "-b", "main"]);
  const args = ["fast-import", "--quiet", "--force", "--date-format=raw-permissive"];
  gitAt(folder, args, Buffer.from(commits.map(streamOf).join("")));
  gitAt(folder, ["reset", "-q", "--hard", "main"]);
  return folder;
}

function streamOf(made: Made, at: number): string {
  const {
    message,
    put = {},
    move = {},
    remove = [],
    when = `${1_500_000_000 + at * 60} +0000`,
  } = made;
  const parents = made.parents ?? (at === 0 ? [] : [at - 1]);
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  return [
    "commit refs/heads/main\n",
    `mark :${at + 1}\n`,
    `committer A <a@b.invalid> ${when}\n`,
    data(message),
    ...parents.map((parent, n) => `${n === 0 ? "from" : "merge"} :${parent + 1}\n`),
    ...Object.entries(move).map(([from, to]) => `R "${from}" "${to}"\n`),
    ...remove.map((path) => `D ${path}\n`),
    ...Object.entries(put).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`),
    "\n",
  ].join("");
}
