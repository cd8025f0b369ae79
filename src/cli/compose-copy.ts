import { access, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { BaseRecord, SiteRecord } from "../domain/site.ts";
import { removeFolder } from "../environments/remove-folder.ts";
import { copyRepository, type Repository } from "../environments/workspace.ts";
import { makeFolder } from "../store/files.ts";
import { storageError } from "../store/storage-error.ts";
import type { Io } from "./io.ts";
import { workRoot } from "./places.ts";

export interface Opening {
  readonly io: Io;
  readonly signal: AbortSignal;
  /** Takes a line for people: what is going on while it takes long. */
  readonly tell: (line: string) => void;
}

type Config = RunConfig["environment"];

/** The folder in which working copies are made. */
export function workFolder({ workDir }: Config, { env, cwd }: Io): string {
  return workDir === null ? workRoot(env) : resolve(cwd, workDir);
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

/** Copies a repository for a run to work in. Rejects with what copying rejects with; then nothing is left. */
export async function composeCopy(
  repository: Repository,
  config: Config,
  run: string,
  { io, signal, tell }: Opening,
) {
  const { copy: mode, copyLimitBytes: limitBytes } = config;
  if (mode === "none") {
    throw new PmcoderError("usage", "Only pmcoder run --task works without a copy (--copy none).");
  }
  const into = join(workFolder(config, io), run);
  makeWorkFolder(into);
  tell(`Copying ${repository.top} …`);
  try {
    const { top, leftOut } = await copyRepository({
      repository,
      into,
      mode,
      limitBytes,
      signal,
    });
    return {
      top,
      notices: leftOut.map(({ path, reason }) => `not in the copy: ${path} (${reason})`),
    };
  } catch (error) {
    await rmdir(into).catch(() => {});
    throw error;
  }
}

/**
 * Removes what stands where a run works, of a process that was killed while it made or removed it.
 * Returns the configuration with which the next copy stands in the same place.
 */
export async function clearWork(
  { copy }: SiteRecord,
  config: Config,
  run: string,
  io: Io,
): Promise<Config> {
  const workDir = copy === null ? workFolder(config, io) : dirname(dirname(copy));
  await removeWork(join(workDir, run));
  return { ...config, workDir };
}

/**
 * Removes the folder that a run works in, the record of the start first: what is left of a copy when
 * that is cut off is then not taken for a whole one.
 */
export async function removeWork(folder: string): Promise<void> {
  await removeFolder(join(folder, ".records"));
  await removeFolder(folder);
}

/** pmcoder's own records stand beside the copy, and go with it. */
export const recordsBeside = (copy: string) => join(dirname(copy), ".records");

/** What a sandbox's commands write beside the repository stands there too. */
export const scratchBeside = (copy: string) => join(dirname(copy), ".scratch");

/** The record of the start is made when the copy is whole, and goes before the copy does. */
export function isWhole(copy: string, { store }: BaseRecord): Promise<boolean> {
  return access(join(recordsBeside(copy), basename(store), "top")).then(
    () => true,
    () => false,
  );
}

export async function removeCopy(copy: string): Promise<void> {
  for (const folder of [recordsBeside(copy), scratchBeside(copy), copy]) await removeFolder(folder);
  await rmdir(dirname(copy));
}
