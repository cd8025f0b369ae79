/**
 * What a segment of a command is, each segment exactly one. `neutral`: prints, waits or sets up
 * the shell itself (`cd`, `echo`, `export`); `other`: a program that the table of heads does not
 * name.
 */
export type SegmentClass =
  | "submit"
  | "revert"
  | "edit"
  | "test"
  | "history"
  | "setup"
  | "review"
  | "inspect"
  | "execute"
  | "neutral"
  | "other";

/** Lines from 1, both ends included; `to` null: to the end of the file. */
export interface LineRange {
  readonly from: number;
  readonly to: number | null;
}

export interface FileRead {
  readonly path: string;
  /** The lines that the command names; empty: the whole file, or the command does not tell. */
  readonly lines: readonly LineRange[];
}

/**
 * Files by what happens to them. Paths are relative to the repository's root where they lie in it,
 * else absolute (or start with `~`); `.` is the root itself. A folder may stand for what it holds.
 */
export interface FileLists {
  readonly reads: readonly FileRead[];
  /** Changed in place or overwritten. */
  readonly edited: readonly string[];
  readonly created: readonly string[];
  readonly deleted: readonly string[];
  /** Put back to a committed state. */
  readonly reverted: readonly string[];
  /** Scratch files that only caught the output of a command; its class is not an edit for them. */
  readonly captured: readonly string[];
}

/** One simple command: its class, and what it does to files. */
export interface Segment extends FileLists {
  readonly class: SegmentClass;
  /** Name of the program without its folder, wrappers removed; empty when there is none. */
  readonly head: string;
  /** An edit or revert of files that the text alone does not name. */
  readonly unresolved: boolean;
  /** Of the edited, created and deleted files those that are repository source. */
  readonly source: readonly string[];
  /** What a test run was told to run: files, `file::test` ids, labels. */
  readonly targets: readonly string[];
  /** The script file that it runs. */
  readonly script: string | null;
  /** Status 0 of the whole command proves status 0 of this segment. */
  readonly decisive: boolean;
}

/** What a command line means. Files that it makes and takes away again are in no list of it. */
export interface ShellAction extends FileLists {
  /** One spelling for every way to write the same action; null: nothing to count. */
  readonly normalized: string | null;
  readonly segments: readonly Segment[];
  /** Edited and created files. */
  readonly writes: readonly string[];
  /** Every file that may differ afterwards: writes, deleted, reverted, captured. */
  readonly changed: readonly string[];
  /** Some segment is an edit or a revert. */
  readonly mutating: boolean;
  /** Head of the segment whose status the shell reports. */
  readonly lastHead: string | null;
}

/** The repository's files, if known. */
export interface Listing {
  readonly files: Iterable<string> & Lookup;
  readonly folders: Lookup;
}

interface Lookup {
  has(path: string): boolean;
}

export interface ShellContext {
  /** Absolute path of the repository, where each command starts. */
  readonly root: string;
  /** Tracked files when the episode began; null: not known, they are inferred from use. */
  readonly listing: Listing | null;
}

/** A listing of files relative to the root, in any order. */
export function listingOf(files: readonly string[]): Listing {
  return sortedListing(files.toSorted());
}

/**
 * A listing of files that are in order (by code units) already. Asked by bisection: a listing is
 * made for every command of an episode, so making one must cost nothing.
 */
export function sortedListing(sorted: readonly string[]): Listing {
  return {
    files: { has: (path) => at(sorted, path) === path, [Symbol.iterator]: () => sorted.values() },
    folders: { has: (path) => at(sorted, `${path}/`)?.startsWith(`${path}/`) === true },
  };
}

/** The first of the sorted files that is not before `path`. */
function at(sorted: readonly string[], path: string): string | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") < path) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}
