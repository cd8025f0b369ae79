import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { PmcoderError } from "../domain/errors.ts";
import type { CassetteSink } from "./cassette.ts";

export interface CassetteFile extends CassetteSink {
  /** Removes the file if nothing was written to it. */
  close(): void;
}

function storage(path: string, error: unknown): PmcoderError {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The recording ${path} cannot be written (${reason}). Free the space or choose another file for --record.`;
  return new PmcoderError("storage", message, { cause: error });
}

/** The whole line or none of it: what stands before it stays readable. */
function writeLine(file: number, line: string): void {
  const bytes = Buffer.from(line, "utf8");
  const before = fstatSync(file).size;
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  } catch (error) {
    ftruncateSync(file, before);
    throw error;
  }
}

/**
 * A new file for a recording, for its owner alone. An old one is never written over: its replies
 * were paid for. Nor is a link followed, wherever it leads.
 * @throws PmcoderError `usage` if the file exists, `storage` if it cannot be written.
 */
export function openCassetteFile(path: string): CassetteFile {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw storage(path, error);
    const message = `The recording ${path} exists already. Choose another name for --record, or remove the file.`;
    throw new PmcoderError("usage", message);
  }
  return {
    write: (line) => {
      try {
        writeLine(file, line);
      } catch (error) {
        throw storage(path, error);
      }
    },
    close: () => {
      const isEmpty = fstatSync(file).size === 0;
      closeSync(file);
      if (isEmpty) rmSync(path, { force: true });
    },
  };
}
