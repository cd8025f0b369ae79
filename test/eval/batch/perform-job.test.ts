import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PmcoderError } from "../../../src/domain/errors.ts";
import type { Journal } from "../../../src/domain/journal.ts";
import type { BatchEvent } from "../../../src/eval/batch/batch-event.ts";
import { memoryBudget } from "../../../src/eval/batch/budget.ts";
import type { Grader } from "../../../src/eval/batch/grader.ts";
import { runOfJob } from "../../../src/eval/batch/job-runs.ts";
import { type JobParts, performJob } from "../../../src/eval/batch/perform-job.ts";
import { openJournal } from "../../../src/store/sqlite.ts";
import { stoppedClock } from "../../stopped-clock.ts";
import { type Attempt, ScriptedStage, spec } from "./scripted-stage.ts";

const { id } = spec.job;
const run = (n: number) => runOfJob("trial", id, n);
const lost = new PmcoderError("environment_lost", "The engine is gone.");

const willing: Grader = {
  version: "test",
  grade: async ({ patch }) => ({ resolved: patch !== "", remark: null }),
};

describe("a job of a batch", () => {
  const clock = stoppedClock();
  let journal: Journal;
  let told: BatchEvent[];
  beforeEach(() => {
    journal = openJournal(":memory:", clock);
    told = [];
  });
  afterEach(() => journal.close());

  /** One attempt after the other, as a queue would make them; the last outcome or failure. */
  async function attempts(stage: ScriptedStage, times: number, more: Partial<JobParts> = {}) {
    const parts: JobParts = {
      experiment: "trial",
      journal,
      budget: memoryBudget({ perRunUsd: 3, totalUsd: 9 }),
      grader: willing,
      gradingRetries: 1,
      stage,
      clock,
      host: "here",
      tell: (event) => told.push(event),
      signal: new AbortController().signal,
      onCapReached: () => told.push({ type: "note", text: "cap" }),
      ...more,
    };
    const outcomes = [];
    for (let n = 0; n < times; n += 1) {
      outcomes.push(await performJob(spec, parts).catch((error: unknown) => error));
    }
    return outcomes.at(-1);
  }
  const staged = (...script: readonly Attempt[]) => new ScriptedStage(journal, script);
  const types = () => told.map(({ type }) => type);

  it("is played, graded, and told", async () => {
    const stage = staged("submitted");
    expect(await attempts(stage, 1)).toMatchObject({
      patch: `of ${run(1)}`,
      result: {
        job: id,
        run: run(1),
        status: "submitted",
        resolved: true,
        cost: 0.005,
        spent: 0.005,
        steps: 2,
        difficulty: "1-4 hours",
        image: { name: "image" },
        attempts: 1,
        failures: 0,
        host: "here",
      },
    });
    expect(told).toMatchObject([
      { type: "started", job: id },
      { type: "ended", status: "submitted", cost: 0.005 },
      { type: "graded", resolved: true },
    ]);
    expect(stage.cleared).toEqual([run(1)]);
  });

  it("counts whatever the model's run ends with, and is not played again", async () => {
    const stage = staged("step_limit", "submitted");
    expect(await attempts(stage, 2)).toMatchObject({
      result: { status: "step_limit", run: run(1), attempts: 1 },
    });
    expect(stage.played).toHaveLength(1);
    expect(told.filter(({ type }) => type === "ended")).toMatchObject([
      { cost: 0.005 },
      { cost: 0 },
    ]);
  });

  it.each([
    ["killed", "internal"],
    ["environment_lost", "environment_lost"],
    ["model_unavailable", "model_unavailable"],
    ["interrupted", "interrupted"],
  ] as const)("goes on after its run was left as %s", async (left, code) => {
    const stage = staged(left, "submitted");
    const failure = await attempts(stage, 1);
    if (left !== "killed") expect(failure).toMatchObject({ code });
    expect(await attempts(stage, 1)).toMatchObject({
      result: {
        run: run(1),
        attempts: 2,
        cost: 0.01,
        spent: 0.01,
        failures: left === "killed" || left === "interrupted" ? 0 : 1,
      },
    });
    expect(stage.played).toMatchObject([{ run: run(1), past: 0 }, { run: run(1) }]);
    expect(stage.played[1]?.past).toBeGreaterThan(0);
    const costs = told.flatMap((event) => (event.type === "ended" ? [event.cost] : []));
    expect(costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)).toBeCloseTo(0.01, 10);
  });

  it("begins anew where it cannot go on, and counts the money of both runs", async () => {
    const stage = staged("environment_lost", "submitted");
    stage.goesOn = false;
    expect(await attempts(stage, 2)).toMatchObject({
      result: { run: run(2), cost: 0.005, spent: 0.01, attempts: 2, failures: 1 },
    });
    expect(stage.played).toEqual([
      { run: run(1), past: 0 },
      { run: run(2), past: 0 },
    ]);
  });

  it("begins anew when the patch of a run that counts is lost", async () => {
    const stage = staged("submitted", "submitted");
    await attempts(stage, 1);
    stage.lost.add(run(1));
    expect(await attempts(stage, 1)).toMatchObject({ result: { run: run(2), spent: 0.01 } });
  });

  it("fails as what it failed with before its run began, and says so", async () => {
    const stage = staged(lost, "submitted");
    expect(await attempts(stage, 1)).toBe(lost);
    expect(told).toMatchObject([
      { type: "started" },
      { type: "ended", status: "environment_lost", cost: 0 },
      { type: "failed", status: "environment_lost", reason: "The engine is gone." },
    ]);
    expect(await attempts(stage, 1)).toMatchObject({ result: { run: run(1), attempts: 1 } });
  });

  it("is not begun when it could pass the cap", async () => {
    const stage = staged();
    const budget = memoryBudget({ perRunUsd: 3, totalUsd: 2 });
    expect(await attempts(stage, 1, { budget })).toMatchObject({ code: "interrupted" });
    expect(told).toEqual([{ type: "note", text: "cap" }]);
    stage.isPaidFor = false;
    expect(await attempts(stage, 1, { budget })).toMatchObject({ result: { status: "submitted" } });
  });

  it("waits while others may give money back, and no longer than the signal allows", async () => {
    const budget = memoryBudget({ perRunUsd: 3, totalUsd: 3 });
    await budget.admit("other", 0);
    const end = new AbortController();
    const pausing = {
      ...clock,
      sleep: async () => {
        if (end.signal.aborted) throw new Error("still asked");
        end.abort();
      },
    };
    const waiting = { budget, clock: pausing, signal: end.signal };
    expect(await attempts(staged(), 1, waiting)).toMatchObject({ code: "interrupted" });
    const freeing = { ...clock, sleep: () => budget.settle("other", 0) };
    expect(await attempts(staged(), 1, { budget, clock: freeing })).toMatchObject({
      result: { status: "submitted" },
    });
  });

  it("keeps its run when the grader fails for good", async () => {
    let tries = 0;
    const grader: Grader = {
      version: "test",
      grade: async () => {
        tries += 1;
        throw lost;
      },
    };
    const stage = staged("submitted");
    expect(await attempts(stage, 1, { grader })).toMatchObject({
      result: { resolved: null, grading: { remark: "The engine is gone." } },
    });
    expect(tries).toBe(2);
    expect(types()).toEqual(["started", "ended", "graded"]);
  });
});
