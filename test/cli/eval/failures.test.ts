import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cassetteText, copiesOf, namesIn, put, readText, summaryIn, world } from "../run-world.ts";
import { evalRun, jobsIn, jsonLines, predictions, repair, resultLines } from "./world.ts";

describe("pmcoder eval run, where the infrastructure fails", () => {
  it("counts its failures apart, gives up in the end, and tries again at the next start", async () => {
    const at = world();
    const trial = {
      instances: ["a__a-1", "b__b-1"],
      more: { model: "replay:{instance}.jsonl", retries: { run: 0 } },
    };
    put(at, "trial/a__a-1.jsonl", cassetteText(repair));
    const { code, err, output } = await evalRun(at, trial);
    expect(code).toBe(1);
    expect(err).toContain("baseline/seed-1/b__b-1  failed (model_unavailable)");
    expect(err).toContain("1 episode given up, see failures.jsonl. The same command tries again.");
    const [done, lost] = resultLines(output);
    expect(done).toMatchObject({ instance: "a__a-1", givenUp: false, failures: 0 });
    expect(lost).toMatchObject({
      instance: "b__b-1",
      run: null,
      status: "model_unavailable",
      givenUp: true,
      failures: 1,
      attempts: 0,
      resolved: null,
      signature: null,
    });
    expect(Object.keys(predictions(output, "baseline/seed-1"))).toEqual(["a__a-1"]);
    expect(jsonLines(readText(output, "failures.jsonl"))).toMatchObject([
      { job: "baseline/seed-1/b__b-1", status: "model_unavailable" },
    ]);

    put(at, "trial/b__b-1.jsonl", cassetteText(repair));
    const again = await evalRun(at, trial);
    expect(again.code).toBe(0);
    expect(again.err).toContain("trial: 1 episode to run");
    expect(resultLines(output).map(({ job, givenUp }) => [job, givenUp])).toEqual([
      ["baseline/seed-1/a__a-1", false],
      ["baseline/seed-1/b__b-1", false],
    ]);
    expect(Object.keys(predictions(output, "baseline/seed-1"))).toEqual(["a__a-1", "b__b-1"]);
  });

  it("stops when instance after instance fails, for it would only lose all", async () => {
    const instances = Array.from({ length: 8 }, (_, n) => `a__a-${n}`);
    const more = { model: "replay:gone.jsonl", retries: { run: 0 }, workers: 1 };
    const { code, err, output } = await evalRun(world(), { instances, more });
    expect(code).toBe(1);
    expect(err).toContain("5 instances failed one after another, the last one so:");
    expect(jobsIn(output)).toHaveLength(5);
  });
});

/** As a process leaves it that is killed after a run's end is recorded, before its files are written. */
function unwrite(output: string, job: string): void {
  const folder = join(output, job);
  const running = { ...summaryIn(folder), exit_status: "running" };
  writeFileSync(join(folder, "summary.json"), JSON.stringify(running));
  rmSync(join(folder, "trajectory.json"));
  rmSync(join(folder, "../preds.json"));
  rmSync(join(output, "results.jsonl"));
}

describe("pmcoder eval run, after a process died between a run's end and its files", () => {
  const job = "baseline/seed-1/a__a-1";

  it("writes them, and does not run anything again", async () => {
    const at = world();
    const trial = { instances: ["a__a-1"] };
    const { output } = await evalRun(at, trial);
    const [before] = resultLines(output);
    const patch = readText(output, job, "patch.diff");
    expect(patch).toContain("+answer = 42");
    unwrite(output, job);
    const copies = join("home", ".cache", "pmcoder", "work");
    put(at, join(copies, `${before?.run}`, "answers", "answer.py"), "answer = 42\n");
    expect((await evalRun(at, trial)).code).toBe(0);
    expect(resultLines(output)).toMatchObject([{ ...before, grading: {} }]);
    expect(readText(output, job, "patch.diff")).toBe(patch);
    expect(namesIn(join(output, job))).toContain("trajectory.json");
    expect(predictions(output, "baseline/seed-1")["a__a-1"]?.model_patch).toBe(patch);
    expect(copiesOf(at)).toEqual([]);
  });

  it("begins anew where the patch is lost, and keeps what the lost run has left", async () => {
    const at = world();
    const trial = { instances: ["a__a-1"] };
    const { output } = await evalRun(at, trial);
    const [before] = resultLines(output);
    unwrite(output, job);
    rmSync(join(output, job, "patch.diff"));
    expect((await evalRun(at, trial)).code).toBe(0);
    const run = before?.run?.replace(/1$/, "2");
    expect(resultLines(output)).toMatchObject([{ run, attempts: 2, failures: 0 }]);
    expect(readText(output, job, "patch.diff")).toContain("+answer = 42");
    expect(summaryIn(join(output, `${job}.failed-1`)).run).toBe(before?.run);
  });
});
