import { randomBytes } from "node:crypto";
import { rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../domain/clock.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Environment } from "../domain/environment.ts";
import type { Journal } from "../domain/journal.ts";
import type { Model } from "../domain/model.ts";
import { openBubblewrap } from "../environments/bubblewrap.ts";
import { openLocal } from "../environments/local.ts";
import { copyRepository, type Repository } from "../environments/workspace.ts";
import { recordingModel } from "../models/cassette.ts";
import { openCassetteFile } from "../models/cassette-file.ts";
import { openModel } from "../models/open-model.ts";
import { runIdAt } from "../store/run-id.ts";
import { openJournal } from "../store/sqlite.ts";
import { makeStateFolder } from "../store/state-folder.ts";
import type { Kind } from "./choose-environment.ts";
import type { Io } from "./io.ts";
import { keysOf } from "./keys.ts";
import { statePlace, workRoot } from "./places.ts";
import { type Outputs, outputsIn } from "./run-outputs.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, { signal });
  },
};

export interface Recorded {
  readonly model: Model;
  readonly close: () => void;
}

/** The model that the configuration names, its replies kept in a cassette where asked. */
export async function composeModel(
  config: RunConfig["model"],
  record: string | undefined,
  issue: string,
  io: Io,
): Promise<Recorded> {
  const model = await openModel(config, keysOf(io.env), systemClock);
  if (record === undefined) return { model, close: () => {} };
  const file = openCassetteFile(resolve(io.cwd, record));
  return { model: recordingModel(model, file, issue), close: file.close };
}

export interface Kept {
  readonly run: string;
  readonly journal: Journal;
  readonly outputs: Outputs;
}

/** Where a new run is kept: its id, the journal, its folder. */
export function composeStore(
  { state, output }: { readonly state?: string | undefined; readonly output?: string | undefined },
  io: Io,
): Kept {
  const place = statePlace(state, io);
  const run = runIdAt(systemClock.now(), randomBytes(2));
  const folder = output === undefined ? join(place.runs, run) : resolve(io.cwd, output);
  const outputs = outputsIn(folder, place.database);
  makeStateFolder(place);
  return { run, journal: openJournal(place.database, systemClock), outputs };
}

function workFolder({ workDir }: RunConfig["environment"], run: string, io: Io): string {
  return join(workDir === null ? workRoot(io.env) : resolve(io.cwd, workDir), run);
}

/** A working copy of the repository, and an environment around it. */
export interface Place {
  readonly environment: Environment;
  /** Where the copy stands on this machine. */
  readonly copy: string;
  readonly notices: readonly string[];
  /** Spares the copy when the environment closes. */
  keep(): void;
}

/** Rejects with what copying and opening reject with; then no copy is left. */
export async function composeEnvironment(
  kind: Kind,
  repository: Repository,
  config: RunConfig["environment"],
  { run, outputs }: Pick<Kept, "run" | "outputs">,
  io: Io,
  signal: AbortSignal,
): Promise<Place> {
  const into = workFolder(config, run, io);
  const { copy: mode, copyLimitBytes: limitBytes } = config;
  const copying = copyRepository({ repository, into, mode, limitBytes, signal });
  const {
    top: copy,
    leftOut,
    remove,
  } = await copying.catch(async (error: unknown) => {
    await rmdir(into).catch(() => {});
    throw error;
  });
  let kept = false;
  const removeCopy = async () => {
    if (kept) return;
    await remove();
    await rmdir(into);
  };
  const options = { copy, spool: outputs.spool, config, env: io.env, removeCopy };
  const opening =
    kind === "local"
      ? openLocal(options)
      : openBubblewrap({ ...options, at: repository.top, hidden: [dirname(outputs.db)] });
  const environment = await opening.catch(async (error: unknown) => {
    await removeCopy();
    throw error;
  });
  return {
    environment,
    copy,
    notices: leftOut.map(({ path, reason }) => `not in the copy: ${path} (${reason})`),
    keep: () => {
      kept = true;
    },
  };
}
