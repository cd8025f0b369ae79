import { connectEngine } from "../../src/environments/docker-engine.ts";
import { IMAGE } from "./docker-places.ts";

/** Images made from the one of the tests, removed together. */
export function changedImages() {
  const made: string[] = [];

  /** The test image after a command, with `changes` in the words of a Dockerfile. */
  async function after(argv: string[], repo: string, changes = "USER 0"): Promise<string> {
    const { docker } = await connectEngine(process.env);
    const container = await docker.createContainer({
      Image: IMAGE,
      Cmd: argv,
      HostConfig: { NetworkMode: "none" },
    });
    await container.start();
    await container.wait();
    const tag = String(process.pid);
    await container.commit({ repo, tag, changes });
    await container.remove();
    made.push(`${repo}:${tag}`);
    return `${repo}:${tag}`;
  }

  const without = (programs: readonly string[]) =>
    after(
      ["rm", ...programs.map((name) => `/usr/bin/${name}`)],
      `pmcoder-test-without-${programs.join("-")}`,
    );

  async function remove(): Promise<void> {
    if (made.length === 0) return;
    const { docker } = await connectEngine(process.env);
    for (const image of made.splice(0)) await docker.getImage(image).remove();
  }

  return { after, without, remove };
}
