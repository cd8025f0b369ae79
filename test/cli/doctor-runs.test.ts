import { existsSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runFindings } from "../../src/cli/doctor-runs.ts";
import { openRunLocks } from "../../src/store/run-lock.ts";
import { clock, ids, littered, recorded, stateOf, workOf } from "./littered-world.ts";
import { startPmcoder, until } from "./run-process.ts";
import {
  copiesOf,
  issue,
  namesIn,
  onlyRun,
  pmcoder,
  replayOf,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

const noEngine = async () => null;

const findingsIn = async (
  at: World,
  given?: string,
  listDead: Parameters<typeof runFindings>[0]["listDead"] = noEngine,
) => {
  const told = { state: stateOf(at), work: workOf(at), clock, given, listDead };
  return (await runFindings(told)).map(({ name, state, found, fix }) => [name, state, found, fix]);
};

describe("what runs left", () => {
  it("is named with its size and the command that goes on or cleans", async () => {
    const at = await littered();
    const work = workOf(at);
    const size = "1[01]\\d\\.\\d kB";
    expect(await findingsIn(at, "kept/it's")).toEqual([
      ["journal", "ok", expect.stringMatching(/ kB$/), undefined],
      [
        "killed run",
        "optional",
        expect.stringMatching(
          new RegExp(`^${ids.killed}; working copy ${size} in ${work}/${ids.killed}$`),
        ),
        `pmcoder resume ${ids.killed} --state 'kept/it'\\''s'`,
      ],
      [
        "working copies",
        "optional",
        expect.stringMatching(
          new RegExp(
            [
              [ids.limited, "step_limit"],
              [ids.submitted, "submitted"],
              [ids.failed, "step_limit"],
              [ids.interrupted, "interrupted"],
            ]
              .map(([run, status]) => `${run} \\(${status}\\) ${size} in ${work}/${run}`)
              .join("; "),
          ),
        ),
        "pmcoder doctor --clean --state 'kept/it'\\''s'",
      ],
      [
        "other copies",
        "optional",
        "1 folder older than a day, of runs that are not recorded here. If no other state folder knows them:",
        `rm -rf ${work}/${ids.strange}`,
      ],
    ]);
  });

  it("is nothing where nothing ran", async () => {
    expect(await findingsIn(world())).toEqual([
      ["journal", "ok", "none yet", undefined],
      ["killed runs", "ok", "none", undefined],
      ["working copies", "ok", "none left behind", undefined],
    ]);
  });

  it("is five killed runs by name, and the number of the others", async () => {
    const at = world();
    for (let n = 0; n < 7; n += 1) await recorded(at, `20261130-10000${n}-aaaa`);
    const killed = (await findingsIn(at)).filter(([name]) => name?.startsWith("killed"));
    expect(killed.map(([, , found]) => found?.slice(0, 20))).toEqual([
      ...[6, 5, 4, 3, 2].map((n) => `20261130-10000${n}-aaaa`),
      "2 more",
    ]);
  });

  it("leaves out runs that somebody works on", async () => {
    const at = await littered();
    const lock = await openRunLocks(stateOf(at).locks, clock).acquire(ids.killed);
    expect((await findingsIn(at))[1]).toEqual(["killed runs", "ok", "none", undefined]);
    await lock.release();
  });

  it("is containers too, where an engine answers", async () => {
    const dead = { id: "c1", image: "debian", ownerPid: 7 };
    const runs = ["r1", "r2", "r1", "r3", "r4", "r5", "r6"].map((run) => ({ ...dead, run }));
    const finding = async (found: typeof runs) =>
      (await findingsIn(world(), "kept", async () => found)).at(-1);
    expect(await finding([])).toEqual(["containers", "ok", "none of dead runs", undefined]);
    expect(await finding(runs)).toEqual([
      "containers",
      "optional",
      "7 of dead runs: r1, r2, r3, r4, r5, …",
      "pmcoder doctor --clean --state kept",
    ]);
  });

  it("cannot be told from a damaged journal, which is named", async () => {
    const at = await littered();
    truncateSync(stateOf(at).database, 700);
    const [finding, ...more] = await findingsIn(at);
    expect(more).toEqual([]);
    expect(finding).toEqual([
      "journal",
      "missing",
      expect.stringMatching(/pmcoder\.db: it is damaged\. Nothing was changed\. /),
      undefined,
    ]);
  });
});

describe("a run that was killed with -9", () => {
  it("is found by doctor, with what it left, and its copy outlives --clean", async () => {
    const at = world();
    const model = replayOf(at, "echo begun > mark; sleep 300", submit);
    const args = ["run", issue, "--model", model, "--environment", "local", "--yes"];
    const running = startPmcoder(at, args);
    const mark = () => namesIn(join(workOf(at), copiesOf(at)[0] ?? "", "project")).includes("mark");
    await until(mark, running);
    const { run } = summaryIn(onlyRun(at));
    const alive = await pmcoder(at, ["doctor", "--json"]);
    expect(alive.out).toContain('{"name":"killed runs","state":"ok","found":"none"}');
    running.child.kill("SIGKILL");
    expect(await running.ended).toBe("SIGKILL");

    const { out } = await pmcoder(at, ["doctor", "--json"]);
    const found = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const copy = join(workOf(at), run);
    expect(found.find(({ name }) => name === "killed run")).toEqual({
      name: "killed run",
      state: "optional",
      found: expect.stringMatching(
        new RegExp(`^${run}; working copy .* in ${copy}; results .* in .*/runs/${run}$`),
      ),
      fix: `pmcoder resume ${run}`,
    });
    await pmcoder(at, ["doctor", "--clean"]);
    expect(existsSync(join(copy, "project", "mark"))).toBe(true);
    await pmcoder(at, ["doctor", "--clean", "--all"]);
    expect(existsSync(copy)).toBe(false);
    expect(summaryIn(onlyRun(at)).run).toBe(run);
  });
});
