import { type Engine, reasonOf, statusOf, within } from "./docker-engine.ts";
import { isDead, isTaken, ownerOf, RUN_LABEL, runOf } from "./docker-labels.ts";

/** An engine may take its time to kill; a run's result must not wait for that. */
const REMOVAL_MS = 15_000;

/**
 * Ends and removes a container with its volumes, waiting 15 s at most. Resolves with null once it is
 * gone, else with what is in the way and what to do; never rejects.
 */
export async function removeContainer({ docker }: Engine, id: string): Promise<string | null> {
  const container = docker.getContainer(id);
  const removing = container.remove({ force: true, v: true }).catch((error: unknown) => {
    // Its removal is on its way already.
    if (statusOf(error) === 409) return container.wait({ condition: "removed" });
    throw error;
  });
  try {
    await within(REMOVAL_MS, removing);
    return null;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    const name = id.slice(0, 40);
    return `The container ${name} could not be removed: ${reasonOf(error)}. Remove it with: docker rm -f ${name}`;
  }
}

/** A container, running or not, whose owner was a process of this machine that is dead. */
export interface Dead {
  readonly id: string;
  readonly run: string;
  readonly image: string;
  readonly ownerPid: number;
}

export interface Abandoned extends Dead {
  /** Null once it is removed, else why it is not. */
  readonly failure: string | null;
}

/**
 * The containers of dead owners; not those of living owners, of other machines and of other
 * programs. Rejects when the engine cannot list its containers.
 */
export async function listDead(engine: Engine): Promise<readonly Dead[]> {
  const containers = await engine.docker.listContainers({
    all: true,
    filters: { label: [RUN_LABEL] },
  });
  const dead = await Promise.all(
    containers.map(async ({ Id: id, Image: image, Labels: labels, Names: names }) => {
      const owner = ownerOf(labels);
      if (owner === null || !(await isDead(owner))) return [];
      if ((await Promise.all(names.map(isTaken))).includes(true)) return [];
      return [{ id, run: runOf(labels), image, ownerPid: owner.pid }];
    }),
  );
  return dead.flat();
}

/** Removes the containers of dead owners, and no others. Rejects as `listDead` does. */
export async function cleanDead(engine: Engine): Promise<readonly Abandoned[]> {
  const dead = await listDead(engine);
  return Promise.all(
    dead.map(async (one) => ({ ...one, failure: await removeContainer(engine, one.id) })),
  );
}
