import { access, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Environment } from "../domain/environment.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { SiteRecord } from "../domain/site.ts";
import { openBubblewrap } from "../environments/bubblewrap.ts";
import { openLocal } from "../environments/local.ts";
import { removeFolder } from "../environments/remove-folder.ts";
import { copyRepository, type Repository } from "../environments/workspace.ts";
import { makeFolder } from "../store/files.ts";
import { storageError } from "../store/storage-error.ts";
import type { Kept } from "./compose.ts";
import type { Io } from "./io.ts";
import { workRoot } from "./places.ts";
import type { Site } from "./run-plan.ts";

/** An environment with the repository in it. */
export interface Place {
  readonly environment: Environment;
  /** Where the work stands, for a later process. */
  readonly site: SiteRecord;
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

type HostSite = Exclude<Site, { kind: "docker" }>;
type DockerSite = Extract<Site, { kind: "docker" }>;
type Config = RunConfig["environment"];
type Told = Pick<Kept, "run" | "outputs">;

/** Rejects with what copying and opening reject with; then nothing is left of either. */
export async function composePlace(
  site: Site,
  config: Config,
  kept: Told,
  opening: Opening,
): Promise<Place> {
  if (site.kind === "docker") return composeContainer(site, config, kept, opening);
  const copy = await composeCopy(site.repository, config, kept.run, opening);
  try {
    return { ...(await openCopy(site, copy.top, config, kept, opening)), notices: copy.notices };
  } catch (error) {
    await removeCopy(copy.top);
    throw error;
  }
}

/**
 * The place that an earlier process of a run has left, with the work as it stands there; null when
 * there is none any more.
 */
export async function reopenPlace(
  site: Site,
  left: SiteRecord,
  config: Config,
  kept: Told & {
    /** Commands that the run has started so far. */
    readonly commands: number;
  },
  opening: Opening,
): Promise<Place | null> {
  if (site.kind === "docker") return reenterContainer(site, left, config, kept, opening);
  const { copy } = left;
  if (copy === null) return null;
  const stands = await access(copy).then(
    () => true,
    () => false,
  );
  return stands ? openCopy(site, copy, config, kept, opening) : null;
}

/** pmcoder's own records stand beside the copy, and go with it. */
const recordsBeside = (copy: string) => join(dirname(copy), ".records");

async function removeCopy(copy: string): Promise<void> {
  await removeFolder(copy);
  await removeFolder(recordsBeside(copy));
  await rmdir(dirname(copy));
}

async function openCopy(
  { kind, repository }: HostSite,
  copy: string,
  config: Config,
  { outputs: { spool, db } }: Told,
  { io }: Opening,
): Promise<Place> {
  let spared = false;
  const options = {
    copy,
    spool,
    records: recordsBeside(copy),
    config,
    env: io.env,
    removeCopy: async () => {
      if (!spared) await removeCopy(copy);
    },
  };
  const environment =
    kind === "local"
      ? await openLocal(options)
      : await openBubblewrap({ ...options, at: repository.top, hidden: [dirname(db)] });
  return {
    environment,
    site: { image: null, repository: repository.top, copy, container: null },
    notices: [],
    keep: () => {
      spared = true;
      return `The working copy with all changes is kept at ${copy}.`;
    },
  };
}

/** A container; a repository of this machine goes into it by way of a copy. */
async function composeContainer(
  { kind, image, repository }: DockerSite,
  config: Config,
  { run }: Told,
  opening: Opening,
): Promise<Place> {
  const { io, signal, tell } = opening;
  const { containerNameOf, openDocker, readyImage } = await import("../environments/docker.ts");
  const name = containerNameOf(run);
  const ready = { image, config, env: io.env, signal, onProgress: tell };
  // Nothing is copied for an engine or an image that is not there.
  if (repository) await readyImage(ready);
  const copy = repository && (await composeCopy(repository, config, run, opening));
  const notices = [...(copy?.notices ?? [])];
  try {
    const environment = await openDocker({
      ...ready,
      name,
      run,
      repository: copy?.top ?? null,
      onNotice: (text) => notices.push(text),
    });
    return placeIn(environment, { kind, image, repository, container: name }, notices);
  } finally {
    if (copy) await removeCopy(copy.top);
  }
}

async function reenterContainer(
  { kind, image, repository }: DockerSite,
  { container }: SiteRecord,
  config: Config,
  { run, commands }: Pick<Told, "run"> & { readonly commands: number },
  { io, tell }: Opening,
): Promise<Place | null> {
  if (container === null) return null;
  const { reenterDocker } = await import("../environments/docker.ts");
  const entered = await reenterDocker(container, {
    image,
    run,
    first: commands + 1,
    config,
    env: io.env,
    onProgress: tell,
  });
  if (entered === null) return null;
  return placeIn(entered.environment, { kind, image, repository, container: entered.name }, []);
}

function placeIn(
  environment: Environment,
  { image, repository, container }: DockerSite & { readonly container: string },
  notices: readonly string[],
): Place {
  return {
    environment,
    site: { image, repository: repository?.top ?? null, copy: null, container },
    notices,
    keep: () => "The container with all changes is removed; its patch was not saved.",
  };
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
