import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { makeFolder, textOf } from "./files.ts";
import { storageError } from "./storage-error.ts";

/** A line that holds no JSON, such as the half that a killed writer left. */
export interface BrokenLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * The records of a file with one JSON value a line, and what is none; a missing file holds neither.
 * Throws PmcoderError `storage` when it cannot be read.
 */
export function readRecords(file: string): {
  readonly records: readonly unknown[];
  readonly broken: readonly BrokenLine[];
} {
  const records: unknown[] = [];
  const broken: BrokenLine[] = [];
  for (const [at, text] of (textOf(file) ?? "").split("\n").entries()) {
    if (text.trim() === "") continue;
    const parsed = parse(text);
    if (parsed === null) broken.push({ line: at + 1, text });
    else records.push(parsed.value);
  }
  return { records, broken };
}

/**
 * Adds a record as a line of its own, all of it or none, synced. After a line that was cut it starts
 * a fresh one, so that both can be told apart. Throws PmcoderError `storage`.
 */
export function appendRecord(file: string, record: unknown): void {
  try {
    makeFolder(dirname(file));
    const descriptor = openSync(file, "a+", 0o644);
    try {
      append(descriptor, `${JSON.stringify(record)}\n`);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw storageError(file, "write to", error);
  }
}

function append(descriptor: number, line: string): void {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  const isCut = size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 10;
  const bytes = Buffer.from(isCut ? `\n${line}` : line, "utf8");
  try {
    for (let written = 0; written < bytes.length; )
      written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } catch (error) {
    ftruncateSync(descriptor, size);
    throw error;
  }
}

/**
 * Takes a file that should hold one JSON value and does not out of the way, so that it can be made
 * again and nothing of it is lost. Returns where it is now; null when it is missing or whole.
 * `now`: epoch ms. Throws PmcoderError `storage`.
 */
export function keepAsideIfBroken(file: string, now: number): string | null {
  const text = textOf(file);
  if (text === null || parse(text) !== null) return null;
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  let aside = `${file}.damaged-${stamp}`;
  for (let n = 2; existsSync(aside); n += 1) aside = `${file}.damaged-${stamp}-${n}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    throw storageError(file, "move", error);
  }
  return aside;
}

/** null: no JSON. */
function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
