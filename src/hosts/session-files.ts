import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../store/files.ts";
import { folderNameOf } from "../store/folder-name.ts";
import { makeStateFolder } from "../store/state-folder.ts";

/** Where a session is kept: its log, which is the truth, and the state that follows from it. */
export interface SessionFiles {
  readonly folder: string;
  readonly log: string;
  readonly snapshot: string;
}

/** `session` is the host's id, which may hold anything. */
export function sessionFiles(folder: string, session: string): SessionFiles {
  const name = folderNameOf(session);
  return {
    folder,
    log: join(folder, `${name}.jsonl`),
    snapshot: join(folder, `${name}.state.json`),
  };
}

/** A line of a log and where the next one begins, in bytes. */
export interface LogLine {
  readonly text: string;
  readonly end: number;
}

const newline = 0x0a;

/** Whole lines of a log from `offset` bytes on; a missing file has none. Throws the system's error. */
export function linesFrom(file: string, offset: number): readonly LogLine[] {
  const bytes = bytesFrom(file, offset);
  const lines: LogLine[] = [];
  let start = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    lines.push({ text: bytes.toString("utf8", start, end), end: offset + end + 1 });
    start = end + 1;
  }
  return lines;
}

/** Longest first line that is looked at, in bytes. */
const firstBytes = 4096;

/** The first line of a log; null where there is none. Throws the system's error. */
export function firstLine(file: string): string | null {
  const descriptor = opened(file);
  if (descriptor === null) return null;
  try {
    const bytes = Buffer.alloc(firstBytes);
    const read = readSync(descriptor, bytes, 0, firstBytes, 0);
    return read === 0 ? null : (bytes.toString("utf8", 0, read).split("\n")[0] ?? "");
  } finally {
    closeSync(descriptor);
  }
}

/** Bytes of a log; 0 where there is none. */
export function sizeOf(file: string): number {
  const descriptor = opened(file);
  if (descriptor === null) return 0;
  try {
    return fstatSync(descriptor).size;
  } finally {
    closeSync(descriptor);
  }
}

function bytesFrom(file: string, offset: number): Buffer {
  const descriptor = opened(file);
  if (descriptor === null) return Buffer.alloc(0);
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - offset));
    let read = 0;
    for (let count = 1; read < bytes.length && count > 0; read += count) {
      count = readSync(descriptor, bytes, read, bytes.length - read, offset + read);
    }
    return bytes.subarray(0, read);
  } finally {
    closeSync(descriptor);
  }
}

function opened(file: string): number | null {
  try {
    return openSync(file, "r");
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") return null;
    throw error;
  }
}

/** Makes the folder of sessions in its state folder, which git does not see. */
export function makeSessionsFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeStateFolder({ folder: dirname(folder) });
  makeFolder(folder);
}

/**
 * Adds lines in one write at the end, so that those of processes at work at once stand one after
 * another. After a line that was cut it starts a fresh one. Not synced: what a power cut takes of
 * the newest calls, plan and memory never saw. Throws the system's error.
 */
export function appendLines({ folder, log }: SessionFiles, lines: readonly string[]): void {
  makeSessionsFolder(folder);
  const descriptor = openSync(log, "a+", 0o600);
  try {
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1);
    const isCut = size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 10;
    const bytes = Buffer.from(`${isCut ? "\n" : ""}${lines.join("\n")}\n`, "utf8");
    const written = writeSync(descriptor, bytes);
    if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes written`);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Replaces the snapshot whole, beside its log: where that is gone, nothing is made anew. Throws the
 * system's error.
 */
export function writeSnapshot({ log, snapshot }: SessionFiles, value: unknown): void {
  if (!existsSync(log)) return;
  const draft = `${snapshot}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
    renameSync(draft, snapshot);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Takes the snapshot away, if it is there and that can be done. */
export function dropSnapshot({ snapshot }: SessionFiles): void {
  try {
    rmSync(snapshot, { force: true });
  } catch {
    // Where it cannot be removed it could not be written either.
  }
}

/** The text of the snapshot; null where there is none. Throws the system's error. */
export function snapshotText({ snapshot }: SessionFiles): string | null {
  try {
    return readFileSync(snapshot, "utf8");
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") return null;
    throw error;
  }
}
