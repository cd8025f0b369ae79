import { once } from "node:events";
import { afterAll, describe, expect, it } from "vitest";
import { cleanDead } from "../../src/environments/docker-clean.ts";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { labelsOf, thisOwner } from "../../src/environments/docker-labels.ts";
import { dockerPlaces, IMAGE, works } from "./docker-places.ts";

const run = `docker-clean-${process.pid}`;
const places = dockerPlaces(run);
afterAll(places.remove);

describe.runIf(works)("cleanDead", () => {
  it("removes what killed owners left of 20 containers, and nothing else", {
    timeout: 240_000,
  }, async () => {
    const owners = [];
    for (let index = 0; index < 10; index += 1) {
      const owner = places.own("true");
      await once(owner.stdout ?? owner, "data");
      owners.push(owner);
    }
    const doomed = await places.containers();
    const living = [];
    for (let index = 0; index < 10; index += 1) living.push(await places.open());
    const spared = (await places.containers()).filter((id) => !doomed.includes(id));
    for (const owner of owners) {
      owner.kill("SIGKILL");
      await once(owner, "exit");
    }
    const engine = await connectEngine(process.env);
    const removed = (await cleanDead(engine)).filter((found) => found.run === run);
    expect(removed.map(({ id }) => id).sort()).toEqual(doomed);
    expect(removed.map(({ ownerPid }) => ownerPid).sort()).toEqual(
      owners.map(({ pid }) => pid).sort(),
    );
    expect(removed.every(({ failure, image }) => failure === null && image === IMAGE)).toBe(true);
    expect(await places.containers()).toEqual(spared);
    for (const environment of living) {
      expect((await environment.execute("true", { timeoutSec: 20 })).exitCode).toBe(0);
    }
    await Promise.all(living.map((environment) => environment.close()));
    expect(await places.containers()).toEqual([]);
  });

  it("removes ended containers of a dead owner, but not those of another host or program", async () => {
    const engine = await connectEngine(process.env);
    const me = await thisOwner();
    const make = async (labels: Record<string, string>) => {
      const container = await engine.docker.createContainer({
        Image: IMAGE,
        Labels: labels,
        Cmd: ["true"],
        HostConfig: { NetworkMode: "none" },
      });
      await container.start();
      await container.wait();
      return container.id;
    };
    const reused = await make(labelsOf(run, { ...me, started: "another boot 1" }));
    const elsewhere = await make(labelsOf(run, { ...me, host: "another", started: "1" }));
    const others = await make({ "pmcoder.run": run });
    const removed = (await cleanDead(engine)).filter((found) => found.run === run);
    expect(removed.map(({ id }) => id)).toEqual([reused]);
    expect(await places.containers()).toEqual([elsewhere, others].sort());
    for (const id of [elsewhere, others]) await engine.docker.getContainer(id).remove();
  });
});
