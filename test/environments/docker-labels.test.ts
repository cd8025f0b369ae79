import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import {
  isDead,
  labelsOf,
  ownerOf,
  runOf,
  thisOwner,
} from "../../src/environments/docker-labels.ts";

describe("the owner in a container's labels", () => {
  it("is read back as it was written", async () => {
    const owner = await thisOwner();
    const labels = labelsOf("run-1", owner);
    expect([runOf(labels), ownerOf(labels)]).toEqual(["run-1", owner]);
    expect(owner).toMatchObject({ pid: process.pid, started: expect.stringMatching(/\S/) });
  });

  it.each([
    [{}],
    [{ "pmcoder.run": "r" }],
    [{ "pmcoder.owner": "x", "pmcoder.host": "h", "pmcoder.started": "s" }],
    [{ "pmcoder.owner": "0", "pmcoder.host": "h", "pmcoder.started": "s" }],
  ])("is unknown from %j", (labels) => {
    expect(ownerOf(labels)).toBeNull();
  });

  it("lives while its process does, and not when another has its number", async () => {
    const me = await thisOwner();
    expect(await isDead(me)).toBe(false);
    expect(await isDead({ ...me, started: "another boot 1" })).toBe(true);
    const child = spawn("sleep", ["0"]);
    await once(child, "exit");
    expect(await isDead({ ...me, pid: child.pid ?? 0 })).toBe(true);
  });

  it("of another host may live", async () => {
    const me = await thisOwner();
    expect(await isDead({ ...me, host: "another", started: "long ago" })).toBe(false);
  });
});
