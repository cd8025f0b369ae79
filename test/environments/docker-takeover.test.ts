import { once } from "node:events";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { containerNameOf, reenterDocker } from "../../src/environments/docker.ts";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { takeOver } from "../../src/environments/docker-takeover.ts";
import { dockerPlaces, works } from "./docker-places.ts";

const run = `docker-takeover-${process.pid}`;
const places = dockerPlaces(run);
const limit = { timeoutSec: 20 };
afterAll(places.remove);

/** A process that has a container, has run a command in it and stands in another one. */
async function owned(command: string) {
  const name = containerNameOf(run);
  const owner = places.own(command, { name });
  await once(owner.stdout ?? owner, "data");
  return {
    name,
    kill: async () => {
      const death = once(owner, "exit");
      owner.kill("SIGKILL");
      await death;
    },
  };
}

const reenter = (name: string, told: string[] = []) =>
  reenterDocker(name, {
    ...places.place(),
    first: 7,
    env: process.env,
    onProgress: (line) => told.push(line),
  });

const nameOf = async () => {
  const { docker } = await connectEngine(process.env);
  const [id = ""] = await places.containers();
  return (await docker.getContainer(id).inspect()).Name;
};

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe.runIf(works)("a container whose owner was killed", () => {
  afterEach(places.remove);

  it("is gone on in: as it was left, with nothing of the old owner's running", async () => {
    const { name, kill } = await owned("echo kept > /var/tmp/mark");
    await kill();
    const entered = await reenter(name);
    const { environment } = entered ?? {};
    expect(entered?.name).toMatch(new RegExp(`^${name}\\.by-${process.pid}-[0-9a-f]{12}$`));
    expect(await nameOf()).toBe(`/${entered?.name}`);
    const seen = await environment?.execute("cat /var/tmp/mark; pgrep -x -a sleep", limit);
    // Its own `sleep` keeps the container up; that of the old owner's command is dead.
    expect(text(seen?.output.head ?? Buffer.of())).toMatch(/^kept\n\d+ sleep 7200\n$/);
    expect(seen?.output.file).toMatch(/\/0007\.log$/);
    await environment?.close();
    expect(await places.containers()).toEqual([]);
  });

  it("is taken by one alone, and again once that one is dead, by any name that it had", async () => {
    const engine = await connectEngine(process.env);
    const { name, kill } = await owned("true");
    expect(await takeOver(engine, name)).toBeNull();
    await kill();
    const taken = await takeOver(engine, name);
    expect(taken).not.toBeNull();
    expect(await takeOver(engine, name)).toBeNull();
    expect(await takeOver(engine, taken ?? "")).toBeNull();
    const [id = ""] = await places.containers();
    const dead = `${name}.by-2147483647-000000000000`;
    await engine.docker.getContainer(id).rename({ name: dead });
    expect(await takeOver(engine, name)).toBe(taken);
  });

  it("is not there to be taken when it was removed", async () => {
    const { name, kill } = await owned("true");
    await kill();
    await places.remove();
    expect(await reenter(name)).toBeNull();
  });

  it("is removed when no shell starts in it any more", async () => {
    const { name, kill } = await owned("rm -f /bin/sh /bin/bash /usr/bin/sh /usr/bin/bash");
    await kill();
    const told: string[] = [];
    expect(await reenter(name, told)).toBeNull();
    expect(told.join("\n")).toContain("cannot be used any more");
    expect(await places.containers()).toEqual([]);
  });
});
