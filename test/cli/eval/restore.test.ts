import { describe, expect, it } from "vitest";
import { spentUnfinished, tellRestored } from "../../../src/cli/eval/restore.ts";
import type { BatchEvent } from "../../../src/eval/batch/batch-event.ts";
import { memoryBudget } from "../../../src/eval/batch/budget.ts";
import { givenUpResult, resultOf } from "../../../src/eval/batch/episode-result.ts";
import { runOfJob, runsOf } from "../../../src/eval/batch/job-runs.ts";
import { jobOf } from "../../../src/eval/experiment/expand.ts";
import { openJournal } from "../../../src/store/sqlite.ts";
import { beginEvent, reply } from "../../trajectories/recorded-episode.ts";

const jobs = ["a", "b", "c"].map((instance) => jobOf(instance, "full", 1));
const [done, killed, fresh] = jobs as [(typeof jobs)[0], (typeof jobs)[0], (typeof jobs)[0]];
const row = { difficulty: null };

describe("what earlier processes of an experiment have spent", () => {
  it("counts against the cap, of runs that were killed or failed too", async () => {
    const journal = openJournal(":memory:", { now: () => 0 });
    const one = runOfJob("k", killed.id, 1);
    const two = runOfJob("k", killed.id, 2);
    const end = { type: "end", status: "environment_lost", reason: "Lost.", seconds: 1 } as const;
    await journal.append(one, [beginEvent(one), reply(1, "", []), end]);
    await journal.append(two, [beginEvent(two), reply(1, "", []), reply(2, "", [])]);
    const other = runOfJob("another experiment", fresh.id, 1);
    await journal.append(other, [beginEvent(other), reply(1, "", [])]);
    const spent = await spentUnfinished(journal, "k", [killed, fresh]);
    expect([...spent]).toEqual([[killed.id, 0.0075]]);

    const caps = { perRunUsd: 1, totalUsd: 1.0074 };
    expect(await memoryBudget(caps, spent).admit(fresh.id, 0)).toBe("never");
    const more = { ...caps, totalUsd: 1.0076 };
    expect(await memoryBudget(more, spent).admit(fresh.id, 0)).toBe("yes");
  });

  it("is told with what they have done", async () => {
    const journal = openJournal(":memory:", { now: () => 0 });
    const run = runOfJob("k", done.id, 1);
    const end = { type: "end", status: "submitted", reason: "So.", seconds: 1 } as const;
    await journal.append(run, [beginEvent(run), reply(1, "", []), end]);
    const about = { row, patch: "", image: null, host: "h" };
    const grading = { resolved: true, remark: null, seconds: 1 };
    const ended = resultOf({
      job: done,
      runs: await runsOf(journal, "k", done.id),
      grading,
      ...about,
    });
    if (ended === null) throw new Error("no result");
    const failed = { status: "error", reason: "Lost.", failures: 3 } as const;
    const lost = { ...givenUpResult({ job: killed, runs: [], ...about, ...failed }), spent: 0.5 };
    const told: BatchEvent[] = [];
    const results = new Map([ended, lost].map((result) => [result.job, result]));
    tellRestored(jobs, results, new Map(), (event) => told.push(event));
    expect(told).toEqual([
      { type: "restored", job: done.id, status: "submitted", resolved: true, cost: 0.0025 },
      { type: "restored", job: killed.id, status: "interrupted", resolved: null, cost: 0.5 },
    ]);
  });
});
