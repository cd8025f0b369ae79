import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exitStatuses } from "../../../src/domain/episode.ts";
import { jobOf } from "../../../src/eval/experiment/expand.ts";
import {
  beginProgress,
  blameFor,
  type JobEvent,
  takeEvent,
} from "../../../src/eval/experiment/progress.ts";
import { tableOf } from "../../../src/eval/experiment/progress-table.ts";

const jobs = ["a__a-1", "b__b-1"].flatMap((instance) =>
  ["baseline", "full"].flatMap((arm) => [1, 2].map((seed) => jobOf(instance, arm, seed))),
);
const full1 = "full/seed-1/a__a-1";
const full2 = "full/seed-2/a__a-1";
const base1 = "baseline/seed-1/a__a-1";

const progressAfter = (...events: readonly JobEvent[]) =>
  events.reduce(takeEvent, beginProgress(jobs, ["baseline", "full"]));
const table = (now: number, ...events: readonly JobEvent[]) =>
  tableOf(progressAfter(...events), now);
const start = (job: string, at = 0): JobEvent => ({ type: "started", job, at });
const end = (job: string, at: number, status: (typeof exitStatuses)[number]): JobEvent => ({
  type: "ended",
  job,
  at,
  status,
  cost: 0.25,
});

describe("the live table", () => {
  it("has a row for each arm and one for all, before anything happens", () => {
    const row = { running: 0, done: 0, graded: 0, resolved: 0, failures: 0, givenUp: 0, cost: 0 };
    expect(table(5000)).toEqual([
      { arm: "baseline", jobs: 4, waiting: 4, ...row, secondsLeft: null },
      { arm: "full", jobs: 4, waiting: 4, ...row, secondsLeft: null },
      { arm: null, jobs: 8, waiting: 8, ...row, secondsLeft: null },
    ]);
  });

  it("tells what is done, running, resolved and spent, and how long it will take", () => {
    const rows = table(
      60_000,
      start(full1, 10_000),
      start(base1, 10_000),
      end(full1, 40_000, "submitted"),
      { type: "graded", job: full1, resolved: true },
      start(full2, 40_000),
      end(base1, 50_000, "step_limit"),
      { type: "graded", job: base1, resolved: false },
    );
    expect(rows).toMatchObject([
      {
        arm: "baseline",
        done: 1,
        running: 0,
        waiting: 3,
        graded: 1,
        resolved: 0,
        secondsLeft: 150,
      },
      { arm: "full", done: 1, running: 1, waiting: 2, resolved: 1, cost: 0.25, secondsLeft: 150 },
      { arm: null, done: 2, running: 1, waiting: 5, resolved: 1, cost: 0.5, secondsLeft: 150 },
    ]);
  });

  it("counts failures of the infrastructure apart, and their money with the rest", () => {
    const [, row] = table(
      9000,
      start(full1),
      end(full1, 1, "environment_lost"),
      start(full1, 2),
      end(full1, 3, "image_missing"),
      { type: "given_up", job: full1 },
      start(full2, 3),
    );
    expect(row).toMatchObject({
      done: 0,
      failures: 2,
      givenUp: 1,
      running: 1,
      waiting: 2,
      cost: 0.5,
      secondsLeft: null,
    });
  });

  it("puts back what was interrupted", () => {
    const [, row] = table(9000, start(full1), end(full1, 1, "interrupted"));
    expect(row).toMatchObject({ done: 0, failures: 0, running: 0, waiting: 4 });
  });

  it("counts what an earlier process did, but not for the pace", () => {
    const restored = { type: "restored", status: "submitted", cost: 1 } as const;
    const rows = table(
      30_000,
      { ...restored, job: full1, resolved: true },
      { ...restored, job: base1, resolved: null, cost: null },
      start(full2, 10_000),
      end(full2, 30_000, "submitted"),
    );
    expect(rows).toMatchObject([
      { arm: "baseline", done: 1, graded: 0, secondsLeft: null, cost: 0 },
      { arm: "full", done: 2, graded: 1, resolved: 1, secondsLeft: 40, cost: 1.25 },
      { arm: null, done: 3, secondsLeft: 100 },
    ]);
  });

  it("counts attempts whose cost is not known", () => {
    const end1: JobEvent = { type: "ended", job: full1, at: 1, status: "submitted", cost: null };
    expect(progressAfter(start(full1), end1).unpriced).toBe(1);
  });

  it("ends with nothing left", () => {
    const events = jobs.flatMap(({ id }) => [start(id), end(id, 9, "no_patch")]);
    expect(table(99, ...events).map((row) => [row.waiting, row.secondsLeft])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it("knows nothing of other jobs", () => {
    expect(progressAfter(start("other/seed-1/a__a-1"))).toEqual(progressAfter());
  });

  it("loses no job, whatever happens to them", () => {
    const one = fc.constantFrom(...jobs.map(({ id }) => id));
    const attempt = fc.tuple(one, fc.constantFrom(...exitStatuses));
    fc.assert(
      fc.property(fc.array(attempt), (attempts) => {
        const open = new Set(jobs.map(({ id }) => id));
        const events = attempts.flatMap(([job, status]) => {
          if (!open.has(job)) return [];
          if (blameFor(status) === "model") open.delete(job);
          return [start(job), end(job, 1, status)];
        });
        for (const row of table(2, ...events)) {
          expect(row.waiting + row.running + row.done + row.givenUp).toBe(row.jobs);
        }
        expect(table(2, ...events).at(-1)?.done).toBe(jobs.length - open.size);
      }),
    );
  });
});

describe("who is answerable for an end", () => {
  it.each([
    [
      "model",
      [
        "submitted",
        "step_limit",
        "cost_limit",
        "time_limit",
        "context_exhausted",
        "format_errors",
        "no_patch",
      ],
    ],
    ["infrastructure", ["environment_lost", "image_missing", "model_unavailable", "error"]],
    ["user", ["interrupted"]],
  ])("%s: %j", (blame, statuses) => {
    expect(exitStatuses.filter((status) => blameFor(status) === blame)).toEqual(statuses);
  });
});
