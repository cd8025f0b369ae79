import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { PmcoderError } from "../domain/errors.ts";
import { asideAdvice, type Keeping } from "./storage-error.ts";

/** The first four bytes of a write-ahead log, whose last bit tells its byte order. */
const logMagic = 0x377f0682;
const logHeaderBytes = 32;

/**
 * Looks at what stands on disk of a database before SQLite may touch it: it takes an empty or missing
 * file for a new database and removes the log beside it, and drops a log whose header it cannot
 * read, in silence. Returns whether the database is still to be made. Throws PmcoderError `storage`,
 * having changed nothing.
 */
export function refuseRemains(file: string, keeping: Keeping): { readonly isNew: boolean } {
  const log = `${file}-wal`;
  // The log first: whoever makes a database meanwhile makes the file before its log.
  const logSize = sizeOf(log) ?? 0;
  const size = sizeOf(file);
  if (size === 0) throw damaged(file, `is empty, which no ${keeping.name} is`, keeping);
  if (size === null && logSize > 0) {
    throw damaged(file, `is missing, but its log ${log} holds ${logSize} bytes`, keeping);
  }
  if (logSize >= logHeaderBytes && !mayBeLog(log)) {
    throw damaged(
      file,
      `has a damaged log, ${log}: what was recorded last cannot be read`,
      keeping,
    );
  }
  return { isNew: size === null };
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? null;

/** Whether it starts as a log does, or was cut or taken away meanwhile by who emptied it in order. */
function mayBeLog(path: string): boolean {
  const start = Buffer.alloc(4);
  try {
    // The log itself is never locked, so closing it here takes no lock away from a connection.
    const descriptor = openSync(path, "r");
    const length = readSync(descriptor, start, 0, start.length, 0);
    closeSync(descriptor);
    return length < start.length || (start.readUInt32BE(0) & ~1) === logMagic;
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") return true;
    throw error;
  }
}

function damaged(file: string, what: string, keeping: Keeping): PmcoderError {
  return new PmcoderError("storage", `${file} ${what}. ${asideAdvice(file, keeping)}`);
}

/**
 * Makes a database beside its place and puts it there whole, so that a process that dies meanwhile
 * leaves no empty file. Of two that do it at once, the second finds the first one's.
 */
export function putInPlace(file: string, make: (draft: string) => void): void {
  const draft = `${file}.${process.pid}.new`;
  rmSync(draft, { force: true });
  try {
    make(draft);
    place(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function place(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch {
    // Another process was faster, or the file system has no hard links.
    if (!existsSync(file)) renameSync(draft, file);
  }
}
