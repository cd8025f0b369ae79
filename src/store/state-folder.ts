import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolder, writeWhole } from "./files.ts";
import { storageError } from "./storage-error.ts";

/** Where pmcoder keeps what it did. All paths are absolute. */
export interface StateFolder {
  readonly folder: string;
  /** The journal. */
  readonly database: string;
  /** Output folders, one a run, named by its id. */
  readonly runs: string;
  /** Locks of runs that are worked on. */
  readonly locks: string;
}

/** The folder that holds `.git`, a folder or (in worktrees) a file; the directory itself if none. */
function gitTopLevel(directory: string): string {
  let folder = directory;
  while (!existsSync(join(folder, ".git"))) {
    const parent = dirname(folder);
    if (parent === folder) return directory;
    folder = parent;
  }
  return folder;
}

/** `.pmcoder` at the git top level of `directory`, or `moved` (`--state`) as it is. Makes nothing. */
export function stateFolderOf(directory: string, moved?: string): StateFolder {
  const start = resolve(directory);
  const folder = moved === undefined ? join(gitTopLevel(start), ".pmcoder") : resolve(start, moved);
  return {
    folder,
    database: join(folder, "pmcoder.db"),
    runs: join(folder, "runs"),
    locks: join(folder, "locks"),
  };
}

/**
 * Makes the folder, and a `.gitignore` in it that hides all of it from git. Throws PmcoderError
 * `storage` when it cannot.
 */
export function makeStateFolder({ folder }: Pick<StateFolder, "folder">): void {
  const ignore = join(folder, ".gitignore");
  try {
    makeFolder(folder);
  } catch (error) {
    throw storageError(folder, "make", error);
  }
  if (!existsSync(ignore)) writeWhole(ignore, "*\n");
}
