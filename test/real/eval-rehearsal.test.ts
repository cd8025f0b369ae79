import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { openOwnJournal } from "../../src/cli/eval/store.ts";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { RUN_LABEL, runOf } from "../../src/environments/docker-labels.ts";
import { capable } from "../capabilities.ts";
import { jsonLines, resultLines } from "../cli/eval/world.ts";
import { type Running, startPmcoder, until } from "../cli/run-process.ts";
import { lastingWorld } from "../cli/run-world.ts";
import { works as hasDocker, IMAGE } from "../environments/docker-places.ts";
import { rehearsalRows, rehearsed } from "./rehearsal-rows.ts";

/**
 * A whole evaluation on a real project in Docker: public runs stand in for the model, and what they
 * end with is graded by the instances' own hidden tests. PMCODER_REHEARSAL=full takes three
 * instances in four arms with three seeds, else it is one; all six run once in the full arm.
 */
const data = process.env["PMCODER_DATA"] ?? "";
const hasRows = capable("data", () => existsSync(join(data, "verified.jsonl")));
const isFull = process.env["PMCODER_REHEARSAL"] === "full";
const crossed = isFull ? ["23413", "23824", "24213"] : ["24213"];

const arms = ["baseline", "plan-only", "memory-only", "full"];
const seeds = [1, 2, 3];
const id = (number: string) => `sympy__sympy-${number}`;

/** What the runs end with; the edits of one miss this release of sympy. */
const resolves = (instance: string) => instance !== id("23413");

/** Runs that mend within the number of checks that an arm makes. */
const checked = (instance: string) => resolves(instance) && instance !== id("24443");

const jobs = [
  ...crossed.flatMap((number) =>
    arms.flatMap((arm) => seeds.map((seed) => `${arm}/seed-${seed}/${id(number)}`)),
  ),
  ...rehearsed.filter((one) => !crossed.map(id).includes(one)).map((one) => `full/seed-1/${one}`),
];

const at = { ...lastingWorld(), repo: process.cwd() };
const output = join(at.folder, "out");
const file = join(at.folder, "rehearsal.yaml");
const minutes = 60_000;

function start(...args: readonly string[]): Running {
  const host = process.env["DOCKER_HOST"];
  return startPmcoder(at, ["eval", ...args], {
    env: host === undefined ? {} : { DOCKER_HOST: host },
  });
}

/** The output of a command that ends well. */
async function done(running: Running): Promise<Running> {
  expect([await running.ended, running.err()]).toEqual([0, expect.anything()]);
  return running;
}

const crossing = () =>
  start("run", file, "--output", output, "--filter", crossed.join("|"), "--workers", "2", "--yes");

/** Whether some run is in the middle of its steps. */
async function isUnderWay(): Promise<boolean> {
  const journal = openOwnJournal(output);
  try {
    const runs = (await journal.runs()).filter(({ status }) => status === "running");
    const events = await Promise.all(runs.map(({ run }) => journal.read(run)));
    return events.some(({ length }) => length > 15);
  } finally {
    await journal.close();
  }
}

/** Kills an evaluation, once so many jobs are done, in the middle of another. */
async function killAfter(count: number): Promise<void> {
  const running = crossing();
  await until(() => resultLines(output).length >= count, running);
  while (!(await isUnderWay())) {
    expect(running.child.exitCode).toBeNull();
    await wait(200);
  }
  running.child.kill("SIGKILL");
  expect(await running.ended).toBe("SIGKILL");
}

async function containersOf(experiment: string): Promise<readonly string[]> {
  const { docker } = await connectEngine(process.env);
  const all = await docker.listContainers({ all: true, filters: { label: [RUN_LABEL] } });
  return all.map(({ Labels: labels }) => runOf(labels)).filter((run) => run.startsWith(experiment));
}

describe.runIf(hasRows && hasDocker)("an evaluation on a real project", () => {
  beforeAll(async () => {
    const rows = await rehearsalRows(rehearsed, data, IMAGE);
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    writeFileSync(join(at.folder, "rows.jsonl"), text);
    const runs = join(data, "trajectories", "mini-swe-agent-v1", "{instance}.traj.json.gz");
    const declaration = {
      name: "rehearsal",
      dataset: "./rows.jsonl",
      arms,
      seeds,
      model: `replay:${runs}`,
      environment: "docker",
      settings: { environment: { commandTimeoutSec: 180 } },
      caps: { totalUsd: 0 },
    };
    writeFileSync(file, stringify(declaration));
  }, 10 * minutes);

  it("ends with every job once although it was killed twice", {
    timeout: 60 * minutes,
  }, async () => {
    await killAfter(2);
    await killAfter(Math.ceil((crossed.length * arms.length * seeds.length) / 2));
    await done(crossing());
    await done(start("run", file, "--output", output, "--arms", "full", "--seeds", "1", "--yes"));
    const results = resultLines(output);
    expect(results.map(({ job }) => job).sort()).toEqual([...jobs].sort());
    const found = results.map(({ job, instance, resolved }) => [job, resolved, instance]);
    expect(found).toEqual(results.map(({ job, instance }) => [job, resolves(instance), instance]));
    expect(results.some(({ attempts }) => attempts > 1)).toBe(true);
    const armed = results.filter(({ arm, instance }) => arm === "full" && checked(instance));
    expect(armed.map(({ verdict }) => verdict)).toEqual(armed.map(() => "pass"));
    const { key } = JSON.parse(readFileSync(join(output, "experiment.json"), "utf8"));
    expect(await containersOf(key)).toEqual([]);
  });

  it("shows which instances the grader is not sound on", () => {
    const gold = jsonLines(readFileSync(join(output, "gold.jsonl"), "utf8"));
    const verdicts = gold.map(({ instance, resolved }) => [instance, resolved]).sort();
    // This release holds the repair of one already, and its tests.
    expect(verdicts).toEqual(rehearsed.map((one) => [one, one !== id("23413")]));
  });

  it("says the same of its stored logs, and reports", { timeout: 10 * minutes }, async () => {
    const before = readFileSync(join(output, "results.jsonl"), "utf8");
    const graded = await done(start("grade", output, "--json"));
    const lines = jsonLines(graded.out()).filter(({ type }) => type === "graded");
    expect(lines.map(({ isNew }) => isNew)).toEqual(jobs.map(() => false));
    await done(start("grade", output, "--regrade"));
    expect(readFileSync(join(output, "results.jsonl"), "utf8")).toBe(before);
    const run = "rehearsal.full.seed-1";
    const report = JSON.parse(readFileSync(join(output, `${run}.${run}.json`), "utf8"));
    expect(report.resolved_ids).toEqual(rehearsed.filter(resolves));
    await done(start("report", output, "--resamples", "200"));
    expect(readFileSync(join(output, "report.md"), "utf8")).toContain("sympy__sympy-23413");
  });
});
