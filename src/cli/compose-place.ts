import { join } from "node:path";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Environment } from "../domain/environment.ts";
import type { BaseRecord, SiteRecord } from "../domain/site.ts";
import { openBubblewrap } from "../environments/bubblewrap.ts";
import { openLocal } from "../environments/local.ts";
import type { Kept } from "./compose.ts";
import {
  composeCopy,
  isWhole,
  type Opening,
  recordsBeside,
  removeCopy,
  removeWork,
  scratchBeside,
  workFolder,
} from "./compose-copy.ts";
import type { Site } from "./run-plan.ts";

/** An environment with the repository in it. */
export interface Place {
  readonly environment: Environment;
  /** Where the work stands, for a later process. */
  readonly site: SiteRecord;
  readonly notices: readonly string[];
  /** Spares the work when the environment closes, if it can. Says where it is kept. */
  keep(): string;
  /** Nobody needs the work any more: it goes when the environment closes. */
  discard(): void;
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
  if ("inPlace" in site) return composeInPlace(site, config, kept, opening);
  const copy = await composeCopy(site.repository, config, kept.run, opening);
  try {
    const place = await openCopy(site, copy.top, config, kept, opening);
    place.discard();
    return { ...place, notices: copy.notices };
  } catch (error) {
    await removeCopy(copy.top);
    throw error;
  }
}

/** The folder itself; only our own records of it go in the end. */
async function composeInPlace(
  { repository }: HostSite,
  config: Config,
  { run, outputs: { spool } }: Told,
  { io }: Opening,
): Promise<Place> {
  const { top } = repository;
  const work = join(workFolder(config, io), run);
  const environment = await openLocal({
    copy: top,
    spool,
    records: join(work, ".records"),
    config,
    env: io.env,
    removeCopy: () => removeWork(work),
  });
  return {
    environment,
    site: { image: null, repository: top, copy: null, container: null },
    notices: [`The work is done in ${top} itself.`],
    keep: () => `The work stands in ${top}.`,
    discard: () => {},
  };
}

/** Where an earlier process of a run worked, and what it is known by. */
export interface LeftPlace {
  readonly site: SiteRecord;
  readonly base: BaseRecord;
  /** Commands that the run has started so far. */
  readonly commands: number;
}

/**
 * The place that an earlier process of a run has left, with the work as it stands there; null when
 * there is none any more. The work stays when the environment closes, until it is discarded.
 */
export async function reopenPlace(
  site: Site,
  left: LeftPlace,
  config: Config,
  kept: Told,
  opening: Opening,
): Promise<Place | null> {
  if (site.kind === "docker") return reenterContainer(site, left, config, kept, opening);
  const { copy } = left.site;
  if (copy === null || !(await isWhole(copy, left.base))) return null;
  return openCopy(site, copy, config, kept, opening);
}

async function openCopy(
  { kind, repository }: HostSite,
  copy: string,
  config: Config,
  { outputs: { spool, state } }: Told,
  { io }: Opening,
): Promise<Place> {
  let spared = true;
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
      : await openBubblewrap({
          ...options,
          at: repository.top,
          scratch: scratchBeside(copy),
          hidden: [state],
        });
  return {
    environment,
    site: { image: null, repository: repository.top, copy, container: null },
    notices: [],
    keep: () => {
      spared = true;
      return `The working copy with all changes is kept at ${copy}.`;
    },
    discard: () => {
      spared = false;
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
  { site: { container }, commands }: LeftPlace,
  config: Config,
  { run }: Pick<Told, "run">,
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
    discard: () => {},
  };
}
