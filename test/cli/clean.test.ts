import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRunLocks } from "../../src/store/run-lock.ts";
import { openJournal } from "../../src/store/sqlite.ts";
import { makeStateFolder } from "../../src/store/state-folder.ts";
import { beginEvent } from "../trajectories/recorded-episode.ts";
import { clock, end, ids, littered, patch, stateOf, workOf } from "./littered-world.ts";
import { copiesOf, pmcoder, type World, world } from "./run-world.ts";

describe("pmcoder doctor --clean", () => {
  const noDocker = { DOCKER_HOST: "unix:///nowhere/docker.sock" };
  const clean = async (at: World, ...more: readonly string[]) =>
    pmcoder(at, ["doctor", "--clean", ...more], { env: noDocker });

  it("removes copies that nothing needs, and says of the others why they stay", async () => {
    const at = await littered();
    const { code, err } = await clean(at);
    expect(code).toBe(0);
    expect(copiesOf(at)).toEqual([ids.strange, ids.killed, ids.interrupted, ids.failed, "mine"]);
    const told = err.replaceAll(/, 1[01]\d\.\d kB/g, "").replaceAll(workOf(at), "WORK");
    expect(told).toMatchInlineSnapshot(`
      "removed the working copy of 20261130-100004-eeee (step_limit)
      removed the working copy of 20261130-100003-dddd (submitted)
      kept the working copy of 20261130-100002-cccc (step_limit): its patch could not be taken, so the copy alone holds the work
      kept the working copy of 20261130-100001-bbbb (interrupted): pmcoder resume 20261130-100001-bbbb goes on from there
      kept the working copy of 20261130-100000-aaaa (killed): pmcoder resume 20261130-100000-aaaa goes on from there
      kept WORK/20261101-000000-ffff: no run of that name is recorded here; another state folder may know it
      no Docker engine answers, so containers were not looked at
      2 working copies and 0 containers of dead runs removed
      "
    `);
  });

  it("removes with --all every copy in which nobody works, and no stranger's", async () => {
    const at = await littered();
    const lock = await openRunLocks(stateOf(at).locks, clock).acquire(ids.interrupted);
    const { code, out } = await clean(at, "--all", "--json");
    await lock.release();
    expect(code).toBe(0);
    expect(copiesOf(at)).toEqual([ids.strange, ids.interrupted, "mine"]);
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ kind, run, kept }) => [kind, run, kept])).toEqual([
      ...[ids.limited, ids.submitted, ids.failed, ids.killed].map((run) => ["copy", run, null]),
      ["copy", ids.strange, expect.stringContaining("no run of that name is recorded here")],
    ]);
  });

  it("never touches a folder that is not named by its run", async () => {
    const at = world();
    const begin = beginEvent(ids.submitted);
    const site = { image: null, repository: at.repo, copy: join(at.repo, "src"), container: null };
    mkdirSync(join(at.repo, "src"));
    const state = stateOf(at);
    makeStateFolder(state);
    const journal = openJournal(state.database, clock);
    const events = [begin.type === "begin" ? { ...begin, site } : begin, patch, end("submitted")];
    await journal.append(ids.submitted, events);
    await journal.close();
    await clean(at, "--all");
    expect(existsSync(join(at.repo, "src"))).toBe(true);
  });

  it("wants --clean for --all", async () => {
    const { code, err } = await pmcoder(world(), ["doctor", "--all"]);
    expect([code, err]).toEqual([2, "pmcoder: --all says what --clean removes: add --clean.\n"]);
  });
});
