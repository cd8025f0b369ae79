import { connectEngine } from "../../src/environments/docker-engine.ts";
import { IMAGE } from "./docker-places.ts";

export interface SmallImage {
  readonly name: string;
  remove(): Promise<void>;
}

/** The image of the tests without the large repository that it holds. */
export async function smallImage(repo: string): Promise<SmallImage> {
  const { docker } = await connectEngine(process.env);
  const Cmd = ["sh", "-c", "rm -rf /testbed && mkdir /testbed"];
  const container = await docker.createContainer({ Image: IMAGE, Cmd });
  try {
    await container.start();
    await container.wait();
    await container.commit({ repo, tag: "latest" });
  } finally {
    await container.remove({ force: true });
  }
  const name = `${repo}:latest`;
  return { name, remove: async () => void (await docker.getImage(name).remove()) };
}

/** Removes the containers with all of these labels, running or not. */
export async function removeContainers(...label: readonly string[]): Promise<void> {
  const { docker } = await connectEngine(process.env);
  const found = await docker.listContainers({ all: true, filters: { label: [...label] } });
  const gone = found.map(({ Id: id }) => docker.getContainer(id).remove({ force: true }));
  // One that is on its way out already is as good as removed.
  await Promise.allSettled(gone);
}
