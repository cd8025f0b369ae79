import { mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Output } from "../domain/environment.ts";

/** Where the complete output of each command is kept, one file a command, read by name. */
export interface Spool {
  /** Bytes written so far; 0 when a command has removed the file. */
  size(name: string): Promise<number>;
  /** Both ends, at most `bytes` each, never overlapping; the middle is not read. */
  ends(name: string, bytes: number): Promise<Omit<Output, "file">>;
  /** All bytes of a file, which is then removed. */
  take(name: string): Promise<Uint8Array>;
}

export function spoolName(index: number): string {
  return `${String(index).padStart(4, "0")}.log`;
}

/** Makes the folder; resolves with the first number that no earlier command there has. */
export async function prepareSpool(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const numbers = (await readdir(folder)).map((name) => Number.parseInt(name, 10));
  return Math.max(0, ...numbers.filter(Number.isFinite)) + 1;
}

/** A spool in a folder of this machine. */
export function hostSpool(folder: string): Spool {
  return {
    size: (name) =>
      stat(join(folder, name)).then(
        (file) => file.size,
        () => 0,
      ),
    ends: (name, bytes) => readEnds(join(folder, name), bytes),
    take: async (name) => {
      const path = join(folder, name);
      const bytes = await readFile(path);
      await rm(path);
      return bytes;
    },
  };
}

export const NOTHING = { head: new Uint8Array(), tail: new Uint8Array(), totalBytes: 0 };

async function readEnds(path: string, bytes: number): Promise<Omit<Output, "file">> {
  const file = await open(path).catch(() => null);
  if (!file) return NOTHING;
  try {
    const read = async (from: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, from);
      return new Uint8Array(buffer.subarray(0, bytesRead));
    };
    const head = await read(0, bytes);
    if (head.length < bytes) return { ...NOTHING, head, totalBytes: head.length };
    const { size } = await file.stat();
    const tail = await read(Math.max(bytes, size - bytes), Math.min(bytes, size - bytes));
    return { head, tail, totalBytes: size };
  } finally {
    await file.close();
  }
}
