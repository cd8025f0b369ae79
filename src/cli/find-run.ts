import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import { resolveRun, runOfOutput } from "../store/run-id.ts";
import { openJournal } from "../store/sqlite.ts";
import { systemClock } from "./compose.ts";
import type { Io } from "./io.ts";
import { statePlace } from "./places.ts";

/** The output folder of the run that a user means. Rejects with PmcoderError `usage` if there is none. */
async function folderOf(text: string, state: string | undefined, io: Io): Promise<string> {
  if (runOfOutput(io.cwd, text)) return resolve(io.cwd, text);
  const place = statePlace(state, io);
  if (!existsSync(place.database)) {
    throw new PmcoderError(
      "usage",
      `No run "${text}": ${place.folder} holds none. Name an output folder, or give --state DIR.`,
    );
  }
  const journal = openJournal(place.database, systemClock);
  try {
    const run = await resolveRun(journal, text);
    const begin = (await journal.read(run)).find((event) => event.type === "begin");
    return begin?.output ?? join(place.runs, run);
  } finally {
    await journal.close();
  }
}

/** The patch file of a run. Rejects with PmcoderError `usage`, naming where it was looked for. */
export async function patchOf(text: string, state: string | undefined, io: Io): Promise<string> {
  const file = join(await folderOf(text, state, io), "patch.diff");
  if (existsSync(file)) return file;
  throw new PmcoderError(
    "usage",
    `${file} does not exist: the run has not ended, or its folder was moved. Name the folder where it is now.`,
  );
}
