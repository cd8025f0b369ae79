import { PmcoderError } from "../domain/errors.ts";

const primaryBits = 0xff;
const busyCodes: readonly number[] = [5, 6];

/** The result code of SQLite, with what it says beyond the primary one; null: another's error. */
function sqliteCodeOf(error: unknown): number | null {
  const code: unknown = error instanceof Error ? Reflect.get(error, "errcode") : null;
  return typeof code === "number" ? code : null;
}

/** Whether another connection keeps the file locked. */
export function isLockedOut(error: unknown): boolean {
  return busyCodes.includes((sqliteCodeOf(error) ?? 0) & primaryBits);
}

/**
 * What is wrong and what to do about it, by SQLite's result code: the whole one where it is listed,
 * else its primary one.
 */
const sqliteReasons: Readonly<Record<number, string>> = {
  3850: "its file system takes no locks, as some network file systems do not. Move the state to a disk of this machine with --state",
  5: "another process keeps it locked. End that process, or give this one a state folder of its own with --state",
  6: "another process keeps it locked. End that process, or give this one a state folder of its own with --state",
  8: "it may not be written. Check its permissions and its folder's, or move the state with --state",
  10: "the disk failed to read or write it. Check the disk and its free space; what was recorded before is kept",
  11: "it is damaged. Nothing was changed; move it aside to start a new one",
  13: "the disk is full. Free some space; what was recorded before is kept",
  14: "it cannot be opened. Check that its folder exists and may be written, or move the state with --state",
  26: "it is damaged, or no database. Nothing was changed; move it aside to start a new one",
};

const systemReasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied. Check its permissions, or choose another folder",
  EPERM: "permission denied. Check its permissions, or choose another folder",
  EROFS: "its file system is read-only. Choose another folder",
  ENOSPC: "the disk is full. Free some space",
  EDQUOT: "the disk quota is used up. Free some space",
  ENOTDIR: "a part of its path is a file. Choose another folder",
  EEXIST: "a file stands where a folder is needed. Choose another folder",
  EISDIR: "a folder stands in its place. Choose another folder",
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = sqliteCodeOf(error);
  if (code !== null) {
    return sqliteReasons[code] ?? sqliteReasons[code & primaryBits] ?? error.message;
  }
  return systemReasons[String(Reflect.get(error, "code"))] ?? error.message;
}

/** A failure of SQLite or of the file system as ours, naming the file; ours pass through. */
export function storageError(file: string, doing: string, error: unknown): PmcoderError {
  if (error instanceof PmcoderError) return error;
  return new PmcoderError("storage", `Cannot ${doing} ${file}: ${reasonOf(error)}.`, {
    cause: error,
  });
}
