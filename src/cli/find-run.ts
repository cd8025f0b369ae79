import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import { resolveRun, runOfOutput } from "../store/run-id.ts";
import { openJournal } from "../store/sqlite.ts";
import { systemClock } from "./compose.ts";
import type { Io } from "./io.ts";
import { statePlace } from "./places.ts";

export interface FoundRun {
  readonly run: string;
  /** The database with its events. */
  readonly db: string;
  /** Its output folder. */
  readonly folder: string;
}

/**
 * The run that a user means: an id, a prefix of one, last, or an output folder. Rejects with
 * PmcoderError `usage` if there is none.
 */
export async function findRun(text: string, state: string | undefined, io: Io): Promise<FoundRun> {
  const output = runOfOutput(io.cwd, text);
  if (output) return { ...output, folder: resolve(io.cwd, text) };
  const place = statePlace(state, io);
  const db = place.database;
  if (!existsSync(db)) {
    throw new PmcoderError(
      "usage",
      `No run "${text}": ${place.folder} holds none. Name an output folder, or give --state DIR.`,
    );
  }
  const journal = openJournal(db, systemClock);
  try {
    const run = await resolveRun(journal, text);
    const begin = (await journal.read(run)).find((event) => event.type === "begin");
    return { run, db, folder: begin?.output ?? join(place.runs, run) };
  } finally {
    await journal.close();
  }
}

/** The patch file of a run. Rejects with PmcoderError `usage`, naming where it was looked for. */
export async function patchOf(text: string, state: string | undefined, io: Io): Promise<string> {
  const { folder } = await findRun(text, state, io);
  const file = join(folder, "patch.diff");
  if (existsSync(file)) return file;
  throw new PmcoderError(
    "usage",
    `${file} does not exist: the run has not ended, or its folder was moved. Name the folder where it is now.`,
  );
}
