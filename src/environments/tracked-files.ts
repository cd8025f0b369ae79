import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import { hostGit } from "./host-git.ts";
import { childOf, type Omission, pathBytes, type RawPath, showPath } from "./tree-survey.ts";

/** The files of a work tree as git sees them, those of its submodules included. */
export interface TrackedFiles {
  readonly tracked: ReadonlySet<RawPath>;
  /** Not tracked and not ignored. */
  readonly untracked: readonly RawPath[];
  /** Repositories inside that are not submodules. */
  readonly nested: readonly Omission[];
}

/**
 * Reads the index of the repository at `top` and of each submodule that is checked out. Throws
 * PmcoderError `usage` when git cannot list the repository.
 */
export async function trackedFiles(top: string): Promise<TrackedFiles> {
  const tracked: RawPath[] = [];
  const others: RawPath[] = [];
  const repositories: RawPath[] = [""];
  for (const folder of repositories) {
    const { files, submodules } = await indexOf(top, folder);
    tracked.push(...files, ...submodules.map((path) => `${path}/.git`));
    repositories.push(...submodules);
    const untracked = await list(top, folder, ["--others", "--exclude-standard"]);
    others.push(...untracked.map((path) => childOf(folder, path)));
  }
  const nested = others.filter((path) => path.endsWith("/")).map(showPath);
  return {
    tracked: new Set(tracked),
    untracked: others.filter((path) => !path.endsWith("/")),
    nested: nested.map((path) => ({ path, reason: "a repository of its own" })),
  };
}

/** The files of one repository's index, and its submodules that are checked out. */
async function indexOf(top: string, folder: RawPath) {
  const files: RawPath[] = [];
  const submodules: RawPath[] = [];
  for (const entry of await list(top, folder, ["--stage"])) {
    const path = childOf(folder, entry.slice(entry.indexOf("\t") + 1));
    if (!entry.startsWith("160000 ")) files.push(path);
    else if (await isCheckedOut(top, path)) submodules.push(path);
  }
  return { files, submodules };
}

/** What git prints. A submodule that git refuses to list has none. */
async function list(top: string, folder: RawPath, options: readonly string[]): Promise<RawPath[]> {
  const cwd = join(top, showPath(folder));
  const { exitCode, stdout, stderr } = await hostGit(["ls-files", "-z", ...options], { cwd });
  if (exitCode !== 0 && folder === "") {
    throw new PmcoderError("usage", `git cannot list the files of ${cwd}: ${stderr.trim()}`);
  }
  return stdout.toString("latin1").split("\0").filter(Boolean);
}

async function isCheckedOut(top: string, path: RawPath): Promise<boolean> {
  return lstat(pathBytes(top, `${path}/.git`)).then(
    () => true,
    () => false,
  );
}
