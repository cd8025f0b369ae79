import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Running, startPmcoder, until } from "../run-process.ts";
import {
  copiesOf,
  namesIn,
  pmcoder,
  readText,
  sh,
  summaryIn,
  type World,
  world,
} from "../run-world.ts";
import { jobsIn, jsonLines, predictions, putTrial, repair, resultLines } from "./world.ts";

const eval_ = (name: string) => fileURLToPath(new URL(`../../../eval/${name}`, import.meta.url));

/** Whether some run in an output folder is in the middle of its steps. */
const isUnderWay = (folder: string) =>
  existsSync(folder) &&
  sh(folder, 'grep -l \'"exit_status": "running"\' */seed-*/*/summary.json || true') !== "";

const evalRun = (at: World, file: string, output: string) =>
  startPmcoder(at, ["eval", "run", file, "--output", output, "--yes"]);

/** Kills the process as nothing can prevent it, once something is so. */
async function killWhen(isSo: () => boolean, process: Running): Promise<void> {
  await until(isSo, process);
  process.child.kill("SIGKILL");
  await process.ended;
}

/** Replies of a job of the smoke experiment that act. */
function stepsOf(job: string): number {
  const [arm, seed, instance] = job.split("/");
  const file = `smoke/replies/${instance}/${arm}-${seed?.slice("seed-".length)}.jsonl`;
  return readFileSync(eval_(file), "utf8").split('"purpose": "act"').length - 1;
}

/** What the replies lead to; null: no patch. */
const outcomes: Readonly<Record<string, boolean | null>> = {
  "baseline/seed-1/smoke__labels-1": true,
  "baseline/seed-1/smoke__ledger-1": false,
  "baseline/seed-1/smoke__ranges-1": true,
  "baseline/seed-2/smoke__labels-1": false,
  "baseline/seed-2/smoke__ledger-1": null,
  "baseline/seed-2/smoke__ranges-1": true,
  "full/seed-1/smoke__labels-1": true,
  "full/seed-1/smoke__ledger-1": true,
  "full/seed-1/smoke__ranges-1": true,
  "full/seed-2/smoke__labels-1": true,
  "full/seed-2/smoke__ledger-1": false,
  "full/seed-2/smoke__ranges-1": true,
};

describe("an experiment whose process is killed", () => {
  it("goes on at the next start: every job once, none lost, with the same outcomes", async () => {
    const at = world();
    const output = join(at.folder, "out");
    const start = () => evalRun(at, eval_("experiments/smoke.yaml"), output);
    await killWhen(() => isUnderWay(output), start());
    const before = jobsIn(output).length;
    await killWhen(() => jobsIn(output).length > before && isUnderWay(output), start());
    const last = start();
    expect(await last.ended, last.err()).toBe(0);

    const results = resultLines(output);
    expect(results.map(({ job }) => job).sort()).toEqual(Object.keys(outcomes));
    const found = results.map(({ job, status, resolved }) => {
      const outcome = outcomes[job] === null ? ["no_patch", false] : ["submitted", outcomes[job]];
      expect([job, status, resolved]).toEqual([job, ...outcome]);
      return [job, stepsOf(job)];
    });
    expect(results.map(({ job, steps }) => [job, steps])).toEqual(found);
    for (const { job, run, status, instance } of results) {
      expect(summaryIn(join(output, job))).toMatchObject({ run, exit_status: status });
      const made = predictions(output, join(job, ".."));
      expect(Object.keys(made)).toHaveLength(3);
      expect(made[instance]?.model_patch).toBe(readText(output, job, "patch.diff"));
    }
    const gold = jsonLines(readText(output, "gold.jsonl"));
    expect(gold.map(({ instance, resolved }) => [instance, resolved]).sort()).toEqual(
      ["labels", "ledger", "ranges"].map((name) => [`smoke__${name}-1`, true]),
    );
    expect(copiesOf(at).filter((name) => name.startsWith("smoke-"))).toEqual([]);
    expect(namesIn(join(at.home, ".cache", "pmcoder", "repositories"))).toEqual([]);
  }, 240_000);

  it("goes on with the very run that it was in", async () => {
    const at = world();
    const output = join(at.folder, "out");
    const [fixed = "", ...rest] = repair;
    const turns = [fixed, "touch began; sleep 3", ...rest];
    const file = putTrial(at, { instances: ["a__a-1"], turns });
    const job = join(output, "baseline/seed-1/a__a-1");
    const began = () => sh(at.home, "find . -name began") !== "";
    await killWhen(began, evalRun(at, file, output));
    const { run } = summaryIn(job);
    const status = await pmcoder(at, ["eval", "status", output, "--json"]);
    expect(status.err).toContain("1 episode stopped in the middle; the same command goes on");
    expect(JSON.parse(status.out)).toMatchObject({ isAtWork: false, rows: [{ running: 1 }, {}] });
    const again = evalRun(at, file, output);
    expect(await again.ended, again.err()).toBe(0);
    const [result, ...more] = resultLines(output);
    expect(more).toEqual([]);
    expect(result).toMatchObject({ run, attempts: 2, failures: 0, rebuilt: false, steps: 4 });
    expect(readText(job, "patch.diff")).toContain("+answer = 42");
  }, 60_000);
});

describe("an experiment that is interrupted", () => {
  it("takes no more, ends what runs so that it can go on, and says so", async () => {
    const at = world();
    const output = join(at.folder, "out");
    const turns = [...repair.slice(0, 1), "touch began; sleep 20", ...repair.slice(1)];
    const more = { workers: 1 };
    const file = putTrial(at, { instances: ["a__a-1", "b__b-1"], turns, more });
    const first = evalRun(at, file, output);
    await until(() => sh(at.home, "find . -name began") !== "", first);
    first.child.kill("SIGINT");
    expect(await first.ended).toBe(130);
    expect(first.err()).toContain(
      "Interrupted, 2 episodes left. The same command goes on from here.",
    );
    expect(jobsIn(output)).toEqual([]);
    const { run, exit_status } = summaryIn(join(output, "baseline/seed-1/a__a-1"));
    expect(exit_status).toBe("interrupted");
    expect(namesIn(join(output, "baseline/seed-1"))).toEqual(["a__a-1"]);

    putTrial(at, { instances: ["a__a-1", "b__b-1"], turns: repair, more });
    const again = await pmcoder(at, ["eval", "run", file, "--output", output, "--yes"]);
    expect(again.code, again.err).toBe(0);
    expect(resultLines(output)).toMatchObject([
      { instance: "a__a-1", run, attempts: 2, failures: 0 },
      { instance: "b__b-1", attempts: 1, failures: 0 },
    ]);
  }, 60_000);

  it("leaves at once at the second signal", async () => {
    const at = world();
    const output = join(at.folder, "out");
    const turns = ["trap '' TERM INT; touch began; sleep 30 & wait", ...repair];
    const file = putTrial(at, { instances: ["a__a-1"], turns });
    const process = evalRun(at, file, output);
    await until(() => sh(at.home, "find . -name began") !== "", process);
    process.child.kill("SIGTERM");
    process.child.kill("SIGTERM");
    expect([143, "SIGTERM"]).toContain(await process.ended);
  }, 60_000);
});
