import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { PmcoderError } from "../domain/errors.ts";
import type { DatasetRow } from "./dataset-row.ts";

/**
 * The folder with a row's repository, links resolved; null when the row names none. Throws
 * PmcoderError `usage` when it is missing or lies outside the dataset's folder.
 */
export async function repositoryOf(
  { instance_id, repository }: Pick<DatasetRow, "instance_id" | "repository">,
  datasetFolder: string,
): Promise<string | null> {
  if (repository === null) return null;
  const what = `The repository "${repository}" of ${instance_id}`;
  const refuse = (found: string, cause?: unknown) =>
    new PmcoderError("usage", `${what} ${found}: name a folder below that of the dataset.`, {
      cause,
    });
  const named = resolve(datasetFolder, repository);
  if (isAbsolute(repository) || !isBelow(datasetFolder, named)) {
    throw refuse("leads out of the dataset's folder");
  }
  const [folder, top] = await Promise.all([realpath(named), realpath(datasetFolder)]).catch(
    (cause: unknown) => {
      throw refuse("is not there", cause);
    },
  );
  if (!isBelow(top, folder)) throw refuse("is a link out of the dataset's folder");
  if (!(await stat(folder)).isDirectory()) throw refuse("is no folder");
  return folder;
}

/** Whether a path, links resolved by the caller, lies in a folder and is not the folder itself. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(resolve(folder), path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Nothing of the user's git, and one time and one name, so that a tree has one commit anywhere. */
const sealed = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "pmcoder",
  GIT_AUTHOR_EMAIL: "pmcoder@localhost",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "pmcoder",
  GIT_COMMITTER_EMAIL: "pmcoder@localhost",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

export interface LaidOut {
  /** The copy, `into` with the name of the folder. */
  readonly path: string;
  /** Its HEAD. Equal trees have equal commits, on every machine. */
  readonly commit: string;
}

/**
 * Copies a bundled folder, which must not hold a git folder, and makes a git repository of it.
 * `path`: the variable PATH. Throws PmcoderError `usage` when git is missing or refuses.
 */
export async function layOutRepository(
  folder: string,
  into: string,
  path: string | undefined,
): Promise<LaidOut> {
  const copy = join(into, basename(folder));
  if (existsSync(join(folder, ".git"))) {
    throw new PmcoderError("usage", `${folder} is a git repository; bundle its files alone.`);
  }
  await cp(folder, copy, { recursive: true, verbatimSymlinks: true });
  const run = promisify(execFile);
  const git = async (...args: readonly string[]) => {
    const done = await run("git", args, { cwd: copy, env: { PATH: path, ...sealed } });
    return done.stdout.trim();
  };
  try {
    await git("init", "-q", "--template=", "--object-format=sha1", "--initial-branch=main");
    await git("add", "-A", "--force");
    await git("commit", "-q", "--allow-empty", "--no-verify", "-m", "As bundled");
    return { path: copy, commit: await git("rev-parse", "HEAD") };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `git cannot make a repository of ${copy}: ${reason} Is git installed?`;
    throw new PmcoderError("usage", message, { cause });
  }
}
