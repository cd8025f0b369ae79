import { once } from "node:events";
import PQueue from "p-queue";
import { afterAll, describe, expect, it } from "vitest";
import { type Abandoned, cleanDead } from "../../src/environments/docker-clean.ts";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { labelsOf, thisOwner } from "../../src/environments/docker-labels.ts";
import { startPmcoder } from "../cli/run-process.ts";
import { world } from "../cli/run-world.ts";
import { dockerPlaces, IMAGE, works } from "./docker-places.ts";

const run = `docker-clean-${process.pid}`;
const places = dockerPlaces(run);
afterAll(places.remove);

/** Starts `count` of something, a few at a time: more would wait for the processors anyway. */
async function several<T>(count: number, start: (index: number) => Promise<T>): Promise<T[]> {
  const queue = new PQueue({ concurrency: 4 });
  return queue.addAll(Array.from({ length: count }, (_, index) => () => start(index)));
}

/** `pmcoder doctor --clean --json`: its exit status, and what it says of this file's runs. */
async function doctorClean() {
  const env = { DOCKER_HOST: process.env["DOCKER_HOST"] ?? "" };
  const running = startPmcoder(world(), ["doctor", "--clean", "--json"], { env });
  const code = await running.ended;
  const lines = running.out().trim().split("\n");
  const abandoned = lines.map((line) => JSON.parse(line || "{}") as Partial<Abandoned>);
  return { code, abandoned: abandoned.filter((found) => found.run?.startsWith(run)) };
}

describe.runIf(works)("after 25 owners of 50 runs were killed with -9", () => {
  it("doctor --clean leaves none of their containers, and every other one", {
    timeout: 300_000,
  }, async () => {
    const owners = await several(25, async (index) => {
      const owner = places.own("true", { run: `${run}-killed-${index}` });
      await once(owner.stdout ?? owner, "data");
      return owner;
    });
    const doomed = await places.containers();
    const living = await several(25, (index) => places.open({ run: `${run}-living-${index}` }));
    const spared = (await places.containers()).filter((id) => !doomed.includes(id));
    expect([doomed.length, spared.length]).toEqual([25, 25]);
    const deaths = owners.map((owner) => once(owner, "exit"));
    for (const owner of owners) owner.kill("SIGKILL");
    await Promise.all(deaths);

    const { code, abandoned } = await doctorClean();
    expect(code).toBe(0);
    expect(abandoned.map(({ id }) => id).sort()).toEqual(doomed);
    const pids = owners.map(({ pid }) => pid);
    expect(abandoned.map(({ ownerPid }) => ownerPid).sort()).toEqual(pids.sort());
    expect(new Set(abandoned.map(({ run: killed }) => killed)).size).toBe(25);
    expect(abandoned.every(({ failure, image }) => failure === null && image === IMAGE)).toBe(true);
    expect(await places.containers()).toEqual(spared);
    for (const environment of living) {
      expect((await environment.execute("true", { timeoutSec: 20 })).exitCode).toBe(0);
    }
    await Promise.all(living.map((environment) => environment.close()));
    expect(await places.containers()).toEqual([]);
  });
});

describe.runIf(works)("cleanDead", () => {
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
