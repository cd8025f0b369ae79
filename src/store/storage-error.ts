import { dirname, join } from "node:path";
import { PmcoderError } from "../domain/errors.ts";

const primaryBits = 0xff;
const busyCodes: readonly number[] = [5, 6];

/** SQLite's own words for its codes: the driver leaves the code out where it reads many rows. */
const codesByText: Readonly<Record<string, number>> = {
  "database is locked": 5,
  "disk I/O error": 10,
  "database disk image is malformed": 11,
  "unable to open database file": 14,
  "file is not a database": 26,
};

/** The result code of SQLite, with what it says beyond the primary one; null: another's error. */
function sqliteCodeOf(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  const code: unknown = Reflect.get(error, "errcode");
  return typeof code === "number" ? code : (codesByText[error.message] ?? null);
}

/** Whether another connection keeps the file locked. */
export function isLockedOut(error: unknown): boolean {
  return busyCodes.includes((sqliteCodeOf(error) ?? 0) & primaryBits);
}

/** How a user is told of one of our files, and of putting it elsewhere. */
export interface Keeping {
  readonly name: string;
  readonly expected: string;
  readonly own: string;
  readonly moved: string;
  readonly option: string;
  readonly another: string;
  /** Where to go on without it. */
  readonly instead: string;
}

export const stateKeeping: Keeping = {
  name: "journal",
  expected: "one of pmcoder",
  own: "a state folder of its own with --state",
  moved: "the state",
  option: "--state",
  another: "another folder with --state",
  instead: "in another folder with --state",
};

export const bankKeeping: Keeping = {
  name: "bank",
  expected: "a bank of pmcoder",
  own: "a bank of its own with --bank",
  moved: "the bank",
  option: "--bank",
  another: "another file with --bank",
  instead: "with another bank with --bank",
};

/**
 * What is wrong and what to do about it, by SQLite's result code: the whole one where it is listed,
 * else its primary one.
 */
const sqliteReasons: Readonly<Record<number, (keeping: Keeping) => string>> = {
  3850: ({ moved, option }) =>
    `its file system takes no locks, as some network file systems do not. Move ${moved} to a disk of this machine with ${option}`,
  5: lockedReason,
  6: lockedReason,
  8: ({ moved, option }) =>
    `it may not be written. Check its permissions and its folder's, or move ${moved} with ${option}`,
  10: () =>
    "the disk failed to read or write it. Check the disk and its free space; what was recorded before is kept",
  11: () => "it is damaged",
  13: () => "the disk is full. Free some space; what was recorded before is kept",
  14: ({ moved, option }) =>
    `it cannot be opened. Check that its folder exists and may be written, or move ${moved} with ${option}`,
  26: () => "it is damaged, or no database",
};

function lockedReason({ own }: Keeping): string {
  return `another process keeps it locked. End that process, or give this one ${own}`;
}

const systemReasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied. Check its permissions, or choose another folder",
  EPERM: "permission denied. Check its permissions, or choose another folder",
  EROFS: "its file system is read-only. Choose another folder",
  ENOSPC: "the disk is full. Free some space",
  EDQUOT: "the disk quota is used up. Free some space",
  ENOTDIR: "a part of its path is a file. Choose another folder",
  EEXIST: "a file stands where a folder is needed. Choose another folder",
  EISDIR: "a folder stands in its place. Choose another folder",
  ENOENT: "there is no such file",
  // What makes folders begins at the first that is missing.
  "ENOENT mkdir": "its file system lets no folder be made there. Choose another folder",
};

/** What is wrong and what to do about it, by the system's code and, where listed, what it was to do. */
function systemReasonOf(error: Error): string | undefined {
  const code = String(Reflect.get(error, "code"));
  return systemReasons[`${code} ${Reflect.get(error, "syscall")}`] ?? systemReasons[code];
}

/** SQLite's codes of a damaged file. */
const damageCodes: readonly number[] = [11, 26];

/**
 * How to go on beside a damaged database: nothing of it is thrown away, nor made anew in its place
 * by anybody but the user.
 */
export function asideAdvice(file: string, { instead }: Keeping = stateKeeping): string {
  const aside = quoted(join(dirname(file), "damaged"));
  return `Nothing was changed. Go on ${instead}, or keep it aside and begin anew: mkdir -p ${aside} && mv ${quoted(file)}* ${aside}/`;
}

/** A word of a shell. */
const quoted = (path: string) =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

function reasonOf(file: string, error: unknown, keeping: Keeping): string {
  if (!(error instanceof Error)) return `${error}.`;
  const code = sqliteCodeOf(error);
  if (code === null) {
    return `${systemReasonOf(error) ?? error.message}.`;
  }
  const primary = code & primaryBits;
  const known = sqliteReasons[code] ?? sqliteReasons[primary];
  const reason = `${known?.(keeping) ?? error.message}.`;
  return damageCodes.includes(primary) ? `${reason} ${asideAdvice(file, keeping)}` : reason;
}

/** A failure of SQLite or of the file system as ours, naming the file; ours pass through. */
export function storageError(
  file: string,
  doing: string,
  error: unknown,
  keeping: Keeping = stateKeeping,
): PmcoderError {
  if (error instanceof PmcoderError) return error;
  return new PmcoderError("storage", `Cannot ${doing} ${file}: ${reasonOf(file, error, keeping)}`, {
    cause: error,
  });
}
