import { randomBytes } from "node:crypto";
import { rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../domain/clock.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Environment } from "../domain/environment.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Journal } from "../domain/journal.ts";
import type { Model } from "../domain/model.ts";
import { secretsOf } from "../domain/secrets.ts";
import { openBubblewrap } from "../environments/bubblewrap.ts";
import { openLocal } from "../environments/local.ts";
import { copyRepository, type Repository } from "../environments/workspace.ts";
import { recordingModel } from "../models/cassette.ts";
import { openCassetteFile } from "../models/cassette-file.ts";
import { openModel } from "../models/open-model.ts";
import { makeFolder } from "../store/files.ts";
import { runIdAt } from "../store/run-id.ts";
import { openJournal } from "../store/sqlite.ts";
import { makeStateFolder } from "../store/state-folder.ts";
import { storageError } from "../store/storage-error.ts";
import type { Io } from "./io.ts";
import { keysOf } from "./keys.ts";
import { statePlace, workRoot } from "./places.ts";
import { type Outputs, outputsIn } from "./run-outputs.ts";
import type { Site } from "./run-plan.ts";

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
  const recording = recordingModel(model, file, issue, secretsOf(io.env));
  return { model: recording, close: file.close };
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

/** An environment with the repository in it. */
export interface Place {
  readonly environment: Environment;
  readonly notices: readonly string[];
  /** Spares the work when the environment closes, if it can. Says where it is kept. */
  keep(): string;
}

export interface Opening {
  readonly io: Io;
  readonly signal: AbortSignal;
  /** Takes a line for people: what is going on while it takes long. */
  readonly tell: (line: string) => void;
}

/** Rejects with what copying and opening reject with; then nothing is left of either. */
export async function composePlace(
  site: Site,
  config: RunConfig["environment"],
  kept: Pick<Kept, "run" | "outputs">,
  opening: Opening,
): Promise<Place> {
  if (site.kind === "docker") return composeContainer(site, config, kept, opening);
  const { kind, repository } = site;
  const { io } = opening;
  const copy = await composeCopy(repository, config, kept.run, opening);
  let spared = false;
  const removeCopy = async () => {
    if (!spared) await copy.remove();
  };
  const { spool, db } = kept.outputs;
  const options = { copy: copy.top, spool, config, env: io.env, removeCopy };
  const opened =
    kind === "local"
      ? openLocal(options)
      : openBubblewrap({ ...options, at: repository.top, hidden: [dirname(db)] });
  const environment = await opened.catch(async (error: unknown) => {
    await copy.remove();
    throw error;
  });
  return {
    environment,
    notices: copy.notices,
    keep: () => {
      spared = true;
      return `The working copy with all changes is kept at ${copy.top}.`;
    },
  };
}

/** A container; a repository of this machine goes into it by way of a copy. */
async function composeContainer(
  { image, repository }: Extract<Site, { kind: "docker" }>,
  config: RunConfig["environment"],
  { run }: Pick<Kept, "run">,
  opening: Opening,
): Promise<Place> {
  const { io, signal, tell } = opening;
  const { openDocker } = await import("../environments/docker.ts");
  const copy = repository && (await composeCopy(repository, config, run, opening));
  try {
    const environment = await openDocker({
      image,
      run,
      repository: copy?.top ?? null,
      config,
      env: io.env,
      signal,
      onProgress: tell,
    });
    const keep = () => "The container with all changes is removed; its patch was not saved.";
    return { environment, notices: copy?.notices ?? [], keep };
  } finally {
    await copy?.remove();
  }
}

function makeWorkFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    const { message } = storageError(folder, "make", error);
    const advice = "Working copies can stand elsewhere: -c environment.workDir=DIR.";
    throw new PmcoderError("storage", `${message} ${advice}`, { cause: error });
  }
}

async function composeCopy(
  repository: Repository,
  { workDir, copy: mode, copyLimitBytes: limitBytes }: RunConfig["environment"],
  run: string,
  { io, signal, tell }: Opening,
) {
  const into = join(workDir === null ? workRoot(io.env) : resolve(io.cwd, workDir), run);
  makeWorkFolder(into);
  tell(`Copying ${repository.top} …`);
  try {
    const { top, leftOut, remove } = await copyRepository({
      repository,
      into,
      mode,
      limitBytes,
      signal,
    });
    return {
      top,
      notices: leftOut.map(({ path, reason }) => `not in the copy: ${path} (${reason})`),
      remove: async () => {
        await remove();
        await rmdir(into);
      },
    };
  } catch (error) {
    await rmdir(into).catch(() => {});
    throw error;
  }
}
