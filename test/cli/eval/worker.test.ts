import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres, PostgresTestServer } from "../../store/postgres-server.ts";
import { startPmcoder, until } from "../run-process.ts";
import { pmcoder, readText, sh, world } from "../run-world.ts";
import { jobsIn, jsonLines, predictions, putTrial, repair, resultLines } from "./world.ts";

const [fixed = "", ...rest] = repair;
/** Long enough to be killed in the middle of, short enough for a test. */
const turns = [fixed, "touch began; sleep 1", ...rest];

const noGold = { grading: { gold: false } };

describe.runIf(hasPostgres)("workers that share an experiment", () => {
  let server: PostgresTestServer;
  beforeAll(async () => {
    server = await PostgresTestServer.start();
  });
  afterAll(() => server.stop());

  /** Until the database holds jobs. */
  async function enqueued(store: string): Promise<void> {
    const ask = () =>
      server.query(new URL(store).pathname.slice(1), "SELECT FROM pmcoder_queue.job");
    while ((await ask().catch(() => [])).length === 0) await wait(50);
  }

  it("finish it when one of them is killed: every job once, none lost", async () => {
    const at = world();
    const store = server.url(await server.createDatabase());
    const instances = ["a__a-1", "b__b-1", "c__c-1"];
    const file = putTrial(at, { instances, arms: ["baseline", "full"], turns, more: noGold });
    const output = join(at.folder, "out");
    const flags = ["--output", output, "--store", store, "--yes"];
    const work = (name: string) =>
      startPmcoder(
        at,
        ["eval", "worker", "--store", store, "--yes", "--workers", "2"].concat([
          "--output",
          join(at.folder, name),
          "--json",
        ]),
      );
    const workers = [work("one"), work("two")] as const;
    const line = ["eval", "run", file, ...flags, "--workers", "0", "--lease", "3", "--json"];
    const coordinator = startPmcoder(at, line);
    const [killed, living] = workers;
    const folder = join(at.folder, "one");
    const isBusy = () =>
      sh(at.folder, 'grep -l \'"exit_status": "running"\' one/*/seed-*/*/summary.json || true') !==
      "";
    await until(isBusy, killed);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(await coordinator.ended, coordinator.err()).toBe(0);
    living.child.kill("SIGTERM");
    expect(await living.ended, living.err()).toBe(0);

    const jobs = ["baseline", "full"].flatMap((arm) =>
      instances.map((instance) => `${arm}/seed-1/${instance}`),
    );
    expect([...jobsIn(output)].sort()).toEqual(jobs);
    for (const { job, arm, instance, status, steps, givenUp, run } of resultLines(output)) {
      expect({ job, status, steps, givenUp }).toEqual({
        job,
        status: "submitted",
        steps: 4,
        givenUp: false,
      });
      const made = predictions(output, `${arm}/seed-1`)[instance];
      expect(made?.model_patch).toContain("+answer = 42");
      expect(made?.model_patch).toBe(readText(output, job, "patch.diff"));
      const [row] = await server.query(
        new URL(store).pathname.slice(1),
        `SELECT status FROM pmcoder.runs WHERE run = '${run}'`,
      );
      expect(row).toEqual({ status: "submitted" });
    }
    const ends = jsonLines(coordinator.out()).filter(({ type }) => type === "ended");
    expect(ends.map(({ job }) => job).sort()).toEqual(jobs);
    expect(folder).not.toBe(output);

    const again = await pmcoder(at, line);
    expect(again.code, again.err).toBe(0);
    expect([...jobsIn(output)].sort()).toEqual(jobs);
    const status = await pmcoder(at, ["eval", "status", output, "--store", store, "--json"]);
    expect(JSON.parse(status.out)).toMatchObject({
      queue: { waiting: 0, running: 0, failed: 0 },
      rows: [{ done: 3 }, { done: 3 }, { done: 6 }],
    });
    expect(status.out + status.err + readText(output, "experiment.json")).not.toContain("s3cret");
  }, 120_000);

  it("take no more at SIGTERM, and finish what they do", async () => {
    const at = world();
    const store = server.url(await server.createDatabase());
    const file = putTrial(at, { instances: ["a__a-1", "b__b-1"], turns, more: noGold });
    const output = join(at.folder, "out");
    const line = ["eval", "run", file, "--output", output, "--store", store, "--yes"];
    const coordinator = startPmcoder(at, [...line, "--workers", "0"]);
    const worker = startPmcoder(at, ["eval", "worker", "--store", store, "--yes"]);
    await until(() => sh(at.home, "find . -name began") !== "", worker);
    worker.child.kill("SIGTERM");
    expect(await worker.ended, worker.err()).toBe(0);
    const status = await pmcoder(at, ["eval", "status", output, "--store", store, "--json"]);
    expect(JSON.parse(status.out)).toMatchObject({
      isAtWork: true,
      queue: { waiting: 1, running: 0, done: 1, failed: 0 },
    });
    coordinator.child.kill("SIGINT");
    expect(await coordinator.ended).toBe(130);
    expect(jobsIn(output)).toEqual(["baseline/seed-1/a__a-1"]);
  }, 60_000);

  it("keep the cap together, and who only collects learns of it", async () => {
    const at = world();
    const store = server.url(await server.createDatabase());
    const more = { ...noGold, caps: { totalUsd: 2.5 }, model: "anthropic:claude-haiku-4-5" };
    const file = putTrial(at, { instances: ["a__a-1"], more });
    const output = join(at.folder, "out");
    const line = ["eval", "run", file, "--output", output, "--store", store, "--yes"];
    const coordinating = pmcoder(at, [...line, "--workers", "0"]);
    await enqueued(store);
    const env = { ANTHROPIC_API_KEY: "k" };
    const worker = ["eval", "worker", "--store", store, "--once", "--yes"];
    const worked = await pmcoder(at, worker, { env });
    expect(worked.code).toBe(1);
    expect(worked.err).toContain("is left: Another run, which may cost $3.00, could pass the cap");
    const { code, err } = await coordinating;
    expect(err).toContain("Raise caps.totalUsd in the experiment's file");
    expect(code).toBe(3);
  }, 60_000);

  it("says what it cannot serve, and leaves it to others", async () => {
    const at = world();
    const store = server.url(await server.createDatabase());
    const file = putTrial(at, { instances: ["a__a-1"], turns });
    const output = join(at.folder, "out");
    const line = ["eval", "run", file, "--output", output, "--store", store, "--yes"];
    const coordinator = startPmcoder(at, [...line, "--workers", "0"]);
    await enqueued(store);
    const worker = ["eval", "worker", "--store", store, "--once"];
    const without = await pmcoder(at, worker);
    expect(without).toMatchObject({ code: 1, out: "" });
    expect(without.err).toMatch(/^trial-[0-9a-f]{8} is left: .*without a sandbox/m);
    const willing = await pmcoder(at, [...worker, "--yes"]);
    expect(willing.code, willing.err).toBe(0);
    expect(await coordinator.ended, coordinator.err()).toBe(0);
    expect(jobsIn(output)).toEqual(["baseline/seed-1/a__a-1"]);
  }, 60_000);
});
