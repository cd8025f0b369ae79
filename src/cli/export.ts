import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { RecordedEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import { writeWhole } from "../store/files.ts";
import { openJournal } from "../store/sqlite.ts";
import { atifTrajectory } from "../trajectories/atif.ts";
import { systemClock } from "./compose.ts";
import { type FoundRun, findRun } from "./find-run.ts";
import type { Io } from "./io.ts";

const iso = (at: number) => new Date(at).toISOString();

/**
 * Writes a run as ATIF, also while it runs. Rejects with PmcoderError `usage` when there is no such
 * run, `storage` when its record is not whole or the file cannot be written.
 */
export async function exportRun(
  text: string,
  { output, state }: { readonly output?: string | undefined; readonly state?: string | undefined },
  io: Io,
): Promise<void> {
  const found = await findRun(text, state, io);
  const trajectory = atifTrajectory(await recordOf(found, text), iso);
  const json = `${JSON.stringify(trajectory, null, 2)}\n`;
  if (output === undefined) io.stdout.write(json);
  else writeWhole(resolve(io.cwd, output), json);
}

async function recordOf({ run, db }: FoundRun, text: string): Promise<readonly RecordedEvent[]> {
  // Opening it would make an empty one.
  if (!existsSync(db)) {
    throw new PmcoderError("usage", `The events of ${text} stood in ${db}, which is gone.`);
  }
  const journal = openJournal(db, systemClock);
  try {
    return await journal.read(run);
  } finally {
    await journal.close();
  }
}
