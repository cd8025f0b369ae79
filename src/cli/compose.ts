import { randomBytes } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../domain/clock.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Journal } from "../domain/journal.ts";
import type { Model } from "../domain/model.ts";
import type { RunLocks } from "../domain/run-lock.ts";
import { secretsOf } from "../domain/secrets.ts";
import type { SnapshotShelf } from "../domain/snapshots.ts";
import { recordingModel } from "../models/cassette.ts";
import { openCassetteFile } from "../models/cassette-file.ts";
import { openModel } from "../models/open-model.ts";
import { refuseOtherIssue } from "../models/replay.ts";
import { runIdAt } from "../store/run-id.ts";
import { openRunLocks } from "../store/run-lock.ts";
import { snapshotFolder } from "../store/snapshot-folder.ts";
import { openJournal } from "../store/sqlite.ts";
import { makeStateFolder } from "../store/state-folder.ts";
import type { Io } from "./io.ts";
import { keysOf } from "./keys.ts";
import { statePlace } from "./places.ts";
import { freshOutputs, type Outputs } from "./run-outputs.ts";

/**
 * The machine's time at the start, and how long it has been since: setting that time meanwhile
 * skips no limit and makes no wait longer.
 */
export const systemClock: Clock = {
  now: () => Math.round(performance.timeOrigin + performance.now()),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, { signal });
  },
};

export interface Recorded {
  readonly model: Model;
  readonly close: () => void;
}

/**
 * The model that the configuration names, its replies kept in a cassette where asked. Rejects when
 * it cannot be opened, or repeats a recording of another issue.
 */
export async function composeModel(
  config: RunConfig["model"],
  record: string | undefined,
  issue: string,
  io: Io,
): Promise<Recorded> {
  return recorded(await composeServer(config, io), record, issue, io);
}

/** The model alone, for several issues. Rejects when it cannot be opened. */
export const composeServer = (config: RunConfig["model"], io: Io): Promise<Model> =>
  openModel(config, keysOf(io.env), systemClock);

/** An open model for one issue; `record`: where its replies are kept, a new file. */
export function recorded(
  model: Model,
  record: string | undefined,
  issue: string,
  io: Io,
): Recorded {
  refuseOtherIssue(model, issue);
  if (record === undefined) return { model, close: () => {} };
  const file = openCassetteFile(resolve(io.cwd, record));
  const recording = recordingModel(model, file, issue, secretsOf(io.env));
  return { model: recording, close: file.close };
}

export interface Kept {
  readonly run: string;
  readonly journal: Journal;
  readonly outputs: Outputs;
  readonly locks: RunLocks;
  readonly shelf: SnapshotShelf;
}

/** Where a new run is kept: its id, the journal, its folder. */
export function composeStore(
  { state, output }: { readonly state?: string | undefined; readonly output?: string | undefined },
  io: Io,
): Kept {
  const place = statePlace(state, io);
  const run = runIdAt(systemClock.now(), randomBytes(2));
  const folder = output === undefined ? join(place.runs, run) : resolve(io.cwd, output);
  const outputs = freshOutputs(folder, place.database);
  makeStateFolder(place);
  return keptIn(run, outputs);
}

/** The store of a run that was begun before. */
export function keptIn(run: string, outputs: Outputs): Kept {
  const { db, folder } = outputs;
  return {
    run,
    outputs,
    journal: openJournal(db, systemClock),
    locks: openRunLocks(join(dirname(db), "locks"), systemClock),
    shelf: snapshotFolder(join(folder, "snapshots")),
  };
}
