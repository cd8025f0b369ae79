import { type Engine, statusOf } from "./docker-engine.ts";
import { digestOf, isDead, isTaken, ownerOf, thisOwner } from "./docker-labels.ts";

/**
 * Makes this process the owner of a running container whose owner, a process of this machine, is
 * dead. Labels cannot be changed, so a container's name says who has taken it since; whoever
 * renames it first has it. Resolves with the new name, or null when there is nothing to take.
 */
export async function takeOver({ docker }: Engine, left: string): Promise<string | null> {
  const container = docker.getContainer(left);
  try {
    const { State: state, Config: config, Name: name } = await container.inspect();
    const owner = ownerOf(config.Labels);
    if (!state.Running || owner === null || !(await isDead(owner))) return null;
    if (await isTaken(name)) return null;
    const me = await thisOwner();
    const taken = `${left.replace(/\.by-.*$/, "")}.by-${me.pid}-${digestOf(me)}`;
    await container.rename({ name: taken });
    return taken;
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 409) return null;
    throw error;
  }
}
