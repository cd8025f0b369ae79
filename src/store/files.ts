import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { storageError } from "./storage-error.ts";

/** What stands in an output folder. */
export type OutputName =
  | "patch.diff"
  | "submission.diff"
  | "extraction.diff"
  | "trajectory.json"
  | "summary.json";

/**
 * Replaces a file whole: a temporary file in the same folder, synced, then renamed. Whoever reads
 * it, and whatever happens meanwhile, finds the old content or the new, never a part of it. Makes
 * the folder if it is missing. `like`: whose permissions it has, if that file exists. Throws
 * PmcoderError `storage`, leaving nothing behind.
 */
export function writeWhole(file: string, content: string | Uint8Array, like = file): void {
  const folder = dirname(file);
  const draft = join(folder, `.${basename(file)}.${process.pid}.tmp`);
  try {
    makeFolder(folder);
  } catch (error) {
    throw storageError(file, "write", error);
  }
  try {
    writeSynced(draft, content, modeOf(like));
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw storageError(file, "write", error);
  }
  syncFolder(folder);
}

/**
 * Makes a folder and those above it, one by one: Node's own recursive mkdir reports a read-only
 * file system as a missing file. Throws the system's error.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Text as it is, bytes as they are, anything else as JSON with an indent of 2. */
export function writeOutput(folder: string, name: OutputName, content: unknown): void {
  const isRaw = typeof content === "string" || content instanceof Uint8Array;
  writeWhole(join(folder, name), isRaw ? content : `${JSON.stringify(content, null, 2)}\n`);
}

const modeOf = (file: string): number =>
  (statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;

function writeSynced(file: string, content: string | Uint8Array, mode: number): void {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  const descriptor = openSync(file, "w", mode);
  try {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(descriptor, bytes, written);
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** So that the rename itself survives a power cut; where a folder cannot be synced it need not. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The file itself is whole and in its place.
  }
}

/** What a text file holds; null: there is none. Throws PmcoderError `storage`. */
export function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") return null;
    throw storageError(file, "read", error);
  }
}
