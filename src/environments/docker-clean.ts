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

export interface Abandoned {
  readonly id: string;
  readonly run: string;
  readonly image: string;
  readonly ownerPid: number;
  /** Null once it is removed, else why it is not. */
  readonly failure: string | null;
}

/**
 * Removes the containers, running or not, whose owner was a process of this machine that is dead.
 * Containers of living owners, of other machines and of other programs are left alone. Rejects when
 * the engine cannot list its containers.
 */
export async function cleanDead(engine: Engine): Promise<readonly Abandoned[]> {
  const containers = await engine.docker.listContainers({
    all: true,
    filters: { label: [RUN_LABEL] },
  });
  const removed = await Promise.all(
    containers.map(async ({ Id: id, Image: image, Labels: labels, Names: names }) => {
      const owner = ownerOf(labels);
      if (owner === null || !(await isDead(owner))) return [];
      if ((await Promise.all(names.map(isTaken))).includes(true)) return [];
      const failure = await removeContainer(engine, id);
      return [{ id, run: runOf(labels), image, ownerPid: owner.pid, failure }];
    }),
  );
  return removed.flat();
}
