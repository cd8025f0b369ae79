import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copiesOf, namesIn, put, readText, summaryIn, world } from "../run-world.ts";
import { evalRun, jobsIn, jsonLines, predictions, resultLines } from "./world.ts";

const instances = ["a__a-1", "b__b-1", "c__c-1"];

describe("pmcoder eval run", () => {
  it("runs every instance with each arm and seed, and leaves results and predictions", async () => {
    const at = world();
    const { code, err, output } = await evalRun(at, {
      instances: ["a__a-1"],
      arms: ["baseline", { name: "mine", from: "full", settings: { memory: { on: false } } }],
      seeds: "1-2",
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    const jobs = ["baseline", "mine"].flatMap((arm) =>
      [1, 2].map((seed) => `${arm}/seed-${seed}/a__a-1`),
    );
    expect([...jobsIn(output)].sort()).toEqual(jobs);
    for (const result of resultLines(output)) {
      const { job, arm, seed } = result;
      expect(result).toMatchObject({
        instance: "a__a-1",
        status: "submitted",
        givenUp: false,
        resolved: null,
        steps: 3,
        cost: 0,
        spent: 0,
        armed: false,
        difficulty: "<15 min fix",
        patch: { files: ["answer.py"], applies: true },
        signature: { turns: 3, gaveUp: false },
        attempts: 1,
        failures: 0,
        image: null,
      });
      expect(summaryIn(join(output, job))).toMatchObject({
        run: result.run,
        arm,
        seed,
        exit_status: "submitted",
      });
      expect(predictions(output, `${arm}/seed-${seed}`)).toEqual({
        "a__a-1": {
          instance_id: "a__a-1",
          model_name_or_path: `trial.${arm}.seed-${seed}`,
          model_patch: readText(output, job, "patch.diff"),
        },
      });
    }
    expect(readText(output, "mine/seed-2/a__a-1/patch.diff")).toContain("+answer = 42");
    expect(copiesOf(at)).toEqual([]);
    expect(namesIn(join(at.home, ".cache", "pmcoder", "repositories"))).toEqual([]);
  });

  it.each([
    { flags: ["--slice", "1:"], jobs: ["baseline/seed-1/b__b-1", "baseline/seed-1/c__c-1"] },
    { flags: ["--filter", "^[ac]", "--slice", "-1:"], jobs: ["baseline/seed-1/c__c-1"] },
    {
      flags: ["--arms", "full", "--seeds", "2", "--slice", ":1"],
      jobs: ["full/seed-2/a__a-1"],
    },
  ])("runs of $flags only what they name", async ({ flags, jobs }) => {
    const arms = flags.includes("--arms") ? ["baseline", "full"] : ["baseline"];
    const seeds = flags.includes("--seeds") ? "1-2" : "1";
    const { code, output } = await evalRun(world(), { instances, arms, seeds }, ...flags);
    expect(code).toBe(0);
    expect(jobsIn(output)).toEqual(jobs);
  });

  it("goes on with another selection, and does nothing twice", async () => {
    const at = world();
    const first = await evalRun(at, { instances }, "--slice", "1:2");
    const second = await evalRun(at, { instances });
    const third = await evalRun(at, { instances });
    expect([first.code, second.code, third.code]).toEqual([0, 0, 0]);
    expect(third.err).toContain("no episode is left to run");
    expect(jobsIn(third.output)).toEqual(instances.map((id) => `baseline/seed-1/${id}`));
    expect(resultLines(third.output).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
    expect(Object.keys(predictions(third.output, "baseline/seed-1"))).toEqual(instances);
  });

  it("refuses to mix results of two declarations, and says what differs", async () => {
    const at = world();
    await evalRun(at, { instances }, "--slice", ":1");
    const more = { settings: { agent: { stepLimit: 7 } } };
    const { code, err, output } = await evalRun(at, { instances, more });
    expect(code).toBe(2);
    expect(err).toBe(
      `pmcoder: ${output} holds results of another declaration, and they must not be mixed:
  arms.baseline.agent.stepLimit: 250, now 7
Undo that, or give another --output.
`,
    );
    expect(jobsIn(output)).toEqual(["baseline/seed-1/a__a-1"]);
  });

  it("tells programs everything, an object a line", async () => {
    const { code, out } = await evalRun(world(), { instances: ["a__a-1"] }, "--json");
    expect(code).toBe(0);
    const job = "baseline/seed-1/a__a-1";
    expect(jsonLines(out)).toMatchObject([
      { type: "forecast", rows: [{ arm: "baseline", episodes: 1 }], atMost: 0 },
      { type: "started", job },
      { type: "ended", job, status: "submitted", cost: 0 },
      { type: "graded", job, resolved: null },
      {
        type: "table",
        rows: [
          { arm: "baseline", done: 1 },
          { arm: null, done: 1 },
        ],
      },
      { type: "end", state: "done", done: 1, left: 0, givenUp: 0 },
    ]);
  });

  it("keeps what it was made with", async () => {
    const { output } = await evalRun(world(), { instances: ["a__a-1"] });
    expect(JSON.parse(readText(output, "environment.json"))).toMatchObject({
      node: process.version,
      engine: null,
      grader: "pmcoder 0.1.0, rules of v5",
      dataset: { origin: "./rows.jsonl", rows: 1 },
      images: {},
    });
    expect(JSON.parse(readText(output, "experiment.json"))).toMatchObject({
      format: "pmcoder-experiment-1",
      store: "sqlite",
      declaration: { name: "trial", arms: { baseline: { arm: "baseline" } } },
      jobs: ["baseline/seed-1/a__a-1"],
    });
  });

  it("takes prompts of the user's own by value, so that a change of them shows", async () => {
    const at = world();
    const more = { settings: { agent: { taskPrompt: "task.md" } } };
    put(at, "trial/task.md", "Mend this: {{task}}\n");
    const first = await evalRun(at, { instances, more }, "--slice", ":1");
    expect(first).toMatchObject({ code: 0 });
    const { run } = resultLines(first.output)[0] ?? {};
    expect(run).toMatch(/^trial-[0-9a-f]{8}-[0-9a-f]{12}-1$/);
    expect(readText(first.output, "baseline/seed-1/a__a-1/trajectory.json")).toContain(
      "Mend this:",
    );
    put(at, "trial/task.md", "Repair this: {{task}}\n");
    const second = await evalRun(at, { instances, more });
    expect(second.code).toBe(2);
    expect(second.err).toContain("arms.baseline.agent.taskPrompt");
  });
});
