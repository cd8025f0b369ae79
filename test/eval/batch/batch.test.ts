import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/cli/compose.ts";
import { PmcoderError } from "../../../src/domain/errors.ts";
import type { JobHandler, JobResult, QueueRules } from "../../../src/domain/queue.ts";
import { type BatchParts, runBatch, workOf } from "../../../src/eval/batch/batch.ts";
import { jobOf } from "../../../src/eval/experiment/expand.ts";
import { openMemoryQueue } from "../../../src/store/queue-memory.ts";

const jobs = ["a", "b"].flatMap((instance) => [1, 2].map((seed) => jobOf(instance, "full", seed)));
const ids = jobs.map(({ id }) => id);
const rules: QueueRules = { maxAttempts: 2, retryDelaySec: 0 };

/** Runs a batch with its own queue: the results in the order in which they were kept. */
async function kept(handler: JobHandler, more: Partial<BatchParts> = {}) {
  const results: JobResult[] = [];
  await runBatch({
    queue: openMemoryQueue(systemClock, rules),
    work: workOf(jobs, []),
    handler,
    concurrency: 1,
    drain: new AbortController().signal,
    kept: new Set(),
    keep: async (result) => void results.push(result),
    clock: systemClock,
    pollMs: 5,
    ...more,
  });
  return results;
}

describe("the work of a batch", () => {
  it("stands instance by instance, the gold patch before its episodes", () => {
    expect(workOf(jobs, ["b", "z"]).map(({ id }) => id)).toEqual([
      "full/seed-1/a",
      "full/seed-2/a",
      "gold/b",
      "full/seed-1/b",
      "full/seed-2/b",
      "gold/z",
    ]);
  });
});

describe("a batch", () => {
  it("keeps each result once, as it comes", async () => {
    const results = await kept(async ({ id }) => id);
    expect(results).toEqual(ids.map((id) => ({ id, state: "done", attempts: 1, result: id })));
  });

  it("keeps what failed too often, and goes on with the rest", async () => {
    const results = await kept(async ({ id }) => {
      if (id === ids[1]) throw new Error("lost");
      return id;
    });
    expect(results.filter(({ state }) => state === "failed")).toEqual([
      { id: ids[1], state: "failed", attempts: 2, error: "lost" },
    ]);
    expect(results).toHaveLength(4);
  });

  it("gives what failed before as many attempts again", async () => {
    const queue = openMemoryQueue(systemClock, rules);
    let isBroken = true;
    const handler: JobHandler = async ({ id }) => {
      if (isBroken && id === ids[0]) throw new Error("lost");
      return id;
    };
    await kept(handler, { queue });
    isBroken = false;
    const again = await kept(handler, { queue, kept: new Set(ids.slice(1)) });
    expect(again).toMatchObject([{ id: ids[0], state: "done" }]);
  });

  it("takes no more jobs once it drains, and keeps those that ended", async () => {
    const draining = new AbortController();
    const results = await kept(
      async ({ id }) => {
        draining.abort();
        return id;
      },
      { drain: draining.signal },
    );
    expect(results.map(({ id }) => id)).toEqual([ids[0]]);
  });

  it("begins nothing more when a result cannot be kept, and fails so", async () => {
    const begun: string[] = [];
    const full = new PmcoderError("storage", "The disk is full.");
    const batch = kept(
      async ({ id }) => {
        begun.push(id);
        if (begun.length > 1) await systemClock.sleep(200, new AbortController().signal);
      },
      { keep: () => Promise.reject(full) },
    );
    await expect(batch).rejects.toBe(full);
    expect(begun.length).toBeLessThan(4);
  });

  it("keeps what others do while it does nothing itself", async () => {
    const queue = openMemoryQueue(systemClock, rules);
    const other = async () => {
      while ((await queue.counts()).waiting === 0)
        await systemClock.sleep(5, new AbortController().signal);
      await queue.work(async ({ id }) => id, {
        concurrency: 2,
        drain: new AbortController().signal,
      });
    };
    const here: JobHandler = () => Promise.reject(new Error("not here"));
    const [results] = await Promise.all([kept(here, { queue, concurrency: 0 }), other()]);
    expect(results.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });
});
