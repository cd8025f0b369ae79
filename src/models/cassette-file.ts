import { closeSync, fstatSync, openSync, rmSync, writeSync } from "node:fs";
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

/**
 * A new file for a recording. An old one is never written over: its replies were paid for.
 * @throws PmcoderError `usage` if the file exists, `storage` if it cannot be written.
 */
export function openCassetteFile(path: string): CassetteFile {
  let file: number;
  try {
    file = openSync(path, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw storage(path, error);
    const message = `The recording ${path} exists already. Choose another name for --record, or remove the file.`;
    throw new PmcoderError("usage", message);
  }
  return {
    write: (line) => {
      try {
        writeSync(file, line);
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
