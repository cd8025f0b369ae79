import { spawn } from "node:child_process";
import { PmcoderError } from "../../domain/errors.ts";
import type { Commit } from "./commit.ts";
import { GitLog, logFormat } from "./git-log.ts";

/** Runs git in one repository and gives what it prints. An exit status of `expected` (0) is no error. */
export type Git = (
  args: readonly string[],
  expected?: readonly number[],
) => AsyncIterable<Uint8Array>;

/** The history of one commit, as memory is built from it. */
export interface History {
  /** Its name in full. */
  readonly base: string;
  /** It, unless it is a merge, and so many of its ancestors as were asked for, newest first. */
  readonly commits: readonly Commit[];
  /** Paths that stand at the base. */
  readonly files: readonly string[];
  /** By path git's name of its content. */
  readonly blobs: ReadonlyMap<string, string>;
  /** All commits before the base, however old. */
  readonly total: number;
  /** A shallow clone: older commits are not there. */
  readonly shallow: boolean;
}

/** Files of one commit beyond which git is not asked which of them were moved. Our choice. */
const moveLimit = 400;

/**
 * Reads what is before a commit; merges are left out. `tell`: told of each commit that was read.
 * Rejects with PmcoderError `usage` when the folder is no repository or has no such commit.
 */
export async function readHistory(
  git: Git,
  base: string,
  options: { readonly window: number; readonly tell?: (read: number) => void },
): Promise<History> {
  const text = (...args: readonly string[]) => textOf(git(args));
  const sha = await commitNamed(git, base);
  const shallow = (await text("rev-parse", "--is-shallow-repository")).trim() === "true";
  const total = Number(await text("rev-list", "--count", sha)) - 1;
  const listed = await text("ls-tree", "-r", "-z", "--full-tree", sha);
  const commits: Commit[] = [];
  const how = ["-M", `-l${moveLimit}`, "--no-ext-diff", "--no-show-signature", "--no-merges"];
  const log = git(["log", ...logFormat, ...how, `-${options.window + 1}`, sha]);
  for await (const commit of parse(log)) {
    commits.push(commit);
    options.tell?.(commits.length);
  }
  const blobs = blobsIn(listed);
  return { base: sha, commits, files: [...blobs.keys()], blobs, total, shallow };
}

/** The name in full of a commit; null: there is none. Rejects where there is no repository. */
export async function findCommit(git: Git, name: string): Promise<string | null> {
  const asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const sha = (await textOf(git(asked, [0, 1]))).trim();
  return sha === "" ? null : sha;
}

async function commitNamed(git: Git, name: string): Promise<string> {
  const sha = await findCommit(git, name);
  if (sha !== null) return sha;
  throw new PmcoderError(
    "usage",
    `${name} names no commit of this repository. Expected is one that git log shows: before the first commit there is none, and a shallow clone lacks the older ones (git fetch --unshallow).`,
  );
}

/** Links and submodules are no files that could be changed. */
function blobsIn(listing: string): ReadonlyMap<string, string> {
  const entries = [...listing.matchAll(/(100\d+) blob ([0-9a-f]+)\t([^\0]+)\0/g)];
  return new Map(entries.map(([, , sha = "", path = ""]) => [path, sha]));
}

async function* parse(output: AsyncIterable<Uint8Array>): AsyncIterable<Commit> {
  const log = new GitLog();
  for await (const piece of output) yield* log.push(piece);
  yield* log.end();
}

/** All that git printed, as text. */
export async function textOf(output: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of output) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** Variables with which git leads its own children to one repository. */
const misleading = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"].flatMap(
  (name) => ["-u", name],
);

/** Settings that make git print what is expected, run nothing else and fetch nothing. */
const sealed = [
  "core.quotePath=false",
  "i18n.logOutputEncoding=UTF-8",
  "diff.relative=false",
].flatMap((setting) => ["-c", setting]);
const quiet = ["LC_ALL=C", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0"];

/** The git of this machine in a folder. It rejects with PmcoderError `usage`, with git's own words. */
export function gitIn(folder: string, signal?: AbortSignal): Git {
  return async function* run(args, expected = [0]) {
    signal?.throwIfAborted();
    const argv = [...misleading, ...quiet, "git", "-C", folder, "--no-pager", ...sealed, ...args];
    const child = spawn("/usr/bin/env", argv, { stdio: ["ignore", "pipe", "pipe"] });
    const stop = () => child.kill("SIGKILL");
    signal?.addEventListener("abort", stop);
    const stderr: Buffer[] = [];
    child.stderr.on("data", (piece: Buffer) => stderr.push(piece));
    const closed = new Promise<number | Error>((resolve) => {
      child.on("close", (code) => resolve(code ?? 1));
      child.on("error", resolve);
    });
    try {
      yield* child.stdout;
      const end = await closed;
      signal?.throwIfAborted();
      if (end instanceof Error || !expected.includes(end))
        throw refused(folder, args, end, Buffer.concat(stderr).toString("utf8"));
    } finally {
      signal?.removeEventListener("abort", stop);
      stop();
    }
  };
}

function refused(
  folder: string,
  [command = ""]: readonly string[],
  end: number | Error,
  stderr: string,
): PmcoderError {
  if (end === 127) return new PmcoderError("usage", "git is needed and is not installed here.");
  const [line = String(end)] = stderr.split("\n").filter((text) => text.trim() !== "");
  return new PmcoderError(
    "usage",
    `git ${command} cannot read the history of ${folder} (${line}). Expected is a git repository.`,
  );
}
