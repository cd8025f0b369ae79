import { type Engine, statusOf } from "./docker-engine.ts";
import { digestOf, isDead, isTaken, ownerOf, thisOwner } from "./docker-labels.ts";

/**
 * Makes this process the owner of a running container whose owner, a process of this machine, is
 * dead. Labels cannot be changed, so a container's name says who has taken it since; whoever
 * renames it first has it. `left`: a name that it has, or had before it was taken. Resolves with
 * the new name, or null when there is nothing to take.
 */
export async function takeOver({ docker }: Engine, left: string): Promise<string | null> {
  const first = left.replace(/\.by-.*$/, "");
  const filters = { name: [`^/${first}(\\.by-.*)?$`] };
  try {
    const [found] = await docker.listContainers({ filters });
    const owner = found ? ownerOf(found.Labels) : null;
    if (!found || owner === null || !(await isDead(owner))) return null;
    if ((await Promise.all(found.Names.map(isTaken))).includes(true)) return null;
    const me = await thisOwner();
    const taken = `${first}.by-${me.pid}-${digestOf(me)}`;
    // By the name that was seen: whoever is second does not find it any more.
    await docker.getContainer(found.Names[0]?.slice(1) ?? found.Id).rename({ name: taken });
    return taken;
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 409) return null;
    throw error;
  }
}
