import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import type { Job, JobHandler, Queue } from "../../src/domain/queue.ts";

export interface OpenedQueue {
  /** Three attempts a job, one at once after another. */
  readonly queue: Queue;
  close(): Promise<void>;
}

const never = new AbortController().signal;

const jobsNamed = (...ids: readonly string[]): readonly Job[] =>
  ids.map((id) => ({ id, payload: { of: id } }));

/** What every queue keeps to. `open` gives an empty one. */
export function describeQueue(name: string, open: () => Promise<OpenedQueue>): void {
  describe(`${name} as a queue`, () => {
    let opened: OpenedQueue;
    let queue: Queue;
    beforeEach(async () => {
      opened = await open();
      queue = opened.queue;
    });
    afterEach(() => opened.close());

    const workAll = (handler: JobHandler, concurrency = 1) =>
      queue.work(handler, { concurrency, drain: never });

    it("hands out each job once, in order, and keeps what came of it", async () => {
      await queue.enqueue(jobsNamed("c", "a"));
      await queue.enqueue(jobsNamed("b"));
      expect(await queue.counts()).toEqual({ waiting: 3, running: 0, done: 0, failed: 0 });
      const seen: unknown[] = [];
      await workAll(async ({ id, payload }, attempt) => {
        seen.push([id, payload, attempt.number, attempt.signal.aborted]);
        return { resolved: id === "a" };
      });
      expect(seen).toEqual(["c", "a", "b"].map((id) => [id, { of: id }, 1, false]));
      expect(await queue.counts()).toEqual({ waiting: 0, running: 0, done: 3, failed: 0 });
      expect(await queue.results()).toEqual(
        ["c", "a", "b"].map((id) => ({
          id,
          state: "done",
          attempts: 1,
          result: { resolved: id === "a" },
        })),
      );
    });

    it("tells only of the results that are not known yet", async () => {
      await queue.enqueue(jobsNamed("a", "b", "c"));
      await workAll(async ({ id }) => id);
      const ids = async (...known: readonly string[]) =>
        (await queue.results(new Set(known))).map(({ id }) => id);
      expect(await ids("b", "never")).toEqual(["a", "c"]);
      expect(await ids("a", "b", "c")).toEqual([]);
    });

    it("knows a job by its id: enqueued again, it neither runs twice nor changes", async () => {
      const seen: unknown[] = [];
      const handler: JobHandler = async ({ payload }) => void seen.push(payload);
      await queue.enqueue([{ id: "a", payload: 1 }]);
      await queue.enqueue([
        { id: "a", payload: 2 },
        { id: "b", payload: 3 },
        { id: "b", payload: 4 },
      ]);
      await workAll(handler);
      await queue.enqueue([{ id: "a", payload: 5 }]);
      await workAll(handler);
      expect(seen).toEqual([1, 3]);
    });

    it("has nothing to do where nothing waits", async () => {
      await queue.enqueue([]);
      await workAll(() => Promise.reject(new Error("unexpected")));
      expect(await queue.results()).toEqual([]);
    });

    it("brings back any ids, payloads and results as JSON keeps them", async () => {
      let [round, earlier] = [0, 0];
      const jobs = fc.uniqueArray(
        fc.tuple(fc.string({ unit: "binary", maxLength: 20 }), fc.jsonValue()),
        { selector: ([id]) => id, maxLength: 5 },
      );
      await fc.assert(
        fc.asyncProperty(jobs, async (given) => {
          round += 1;
          const added = given.map(([id, payload]) => ({ id: `${round}:${id}`, payload }));
          await queue.enqueue(added);
          const seen: Job[] = [];
          await workAll(async (job) => {
            seen.push(job);
            return job.payload;
          });
          const plain = JSON.parse(JSON.stringify(added)) as Job[];
          expect(seen).toEqual(plain);
          const results = (await queue.results()).slice(earlier);
          earlier += plain.length;
          expect(results).toEqual(
            plain.map(({ id, payload }) => ({ id, state: "done", attempts: 1, result: payload })),
          );
        }),
        { numRuns: 25 },
      );
    });

    it("runs as many at once as it may, and never more", async () => {
      await queue.enqueue(jobsNamed(..."abcdefghijkl"));
      let [now, most] = [0, 0];
      await workAll(async () => {
        now += 1;
        most = Math.max(most, now);
        await wait(10);
        now -= 1;
      }, 4);
      expect(most).toBe(4);
      expect((await queue.counts()).done).toBe(12);
    });

    it("shares its jobs among workers", async () => {
      await queue.enqueue(jobsNamed(..."abcdefghijkl"));
      const seen: string[][] = [[], [], []];
      await Promise.all(
        seen.map((mine) =>
          workAll(async ({ id }) => {
            mine.push(id);
            await wait(10);
          }, 2),
        ),
      );
      expect(seen.flat().sort()).toEqual([..."abcdefghijkl"]);
      expect(seen.filter((mine) => mine.length > 0).length).toBeGreaterThan(1);
    });

    it("tries a job again when its handler fails, and says at last why it failed", async () => {
      await queue.enqueue(jobsNamed("bad", "weak", "good"));
      const seen: string[] = [];
      const handler: JobHandler = async ({ id }, { number }) => {
        seen.push(`${id} ${number}`);
        if (id === "bad") throw new Error(`the disk is full (${number})\u0000`);
        if (id === "weak" && number === 1) throw new Error("the engine was lost");
      };
      await workAll(handler);
      expect(seen.sort()).toEqual(["bad 1", "bad 2", "bad 3", "good 1", "weak 1", "weak 2"]);
      expect(await queue.counts()).toEqual({ waiting: 0, running: 0, done: 2, failed: 1 });
      const good = { state: "done", result: null };
      expect(await queue.results()).toEqual([
        { id: "bad", state: "failed", attempts: 3, error: "the disk is full (3)\u0000" },
        { id: "weak", attempts: 2, ...good },
        { id: "good", attempts: 1, ...good },
      ]);
    });

    it("gives failed jobs as many attempts again when asked to, and others none", async () => {
      await queue.enqueue(jobsNamed("bad", "good"));
      const handler: JobHandler = ({ id }) =>
        id === "bad" ? Promise.reject(new Error("no")) : Promise.resolve();
      await workAll(handler);
      await queue.retryFailed();
      expect(await queue.counts()).toEqual({ waiting: 1, running: 0, done: 1, failed: 0 });
      await workAll(handler);
      expect((await queue.results())[0]).toMatchObject({ id: "bad", attempts: 6 });
      await queue.retryFailed();
      await workAll(async () => "at last");
      expect((await queue.results()).map(({ attempts }) => attempts)).toEqual([7, 1]);
      expect((await queue.counts()).done).toBe(2);
    });

    it("counts an interruption as no attempt", async () => {
      await queue.enqueue(jobsNamed("a"));
      const handler: JobHandler = async (_job, { number }) => {
        if (number < 6) throw new PmcoderError("interrupted", "The worker was stopped.");
        return "whole";
      };
      await workAll(handler);
      expect(await queue.results()).toEqual([
        { id: "a", state: "done", attempts: 6, result: "whole" },
      ]);
    });

    it("takes a result that is no JSON for a failure of its attempt", async () => {
      await queue.enqueue(jobsNamed("a"));
      const circle: Record<string, unknown> = {};
      circle["self"] = circle;
      await workAll(async (_job, { number }) => (number === 1 ? circle : undefined));
      expect(await queue.results()).toEqual([
        { id: "a", state: "done", attempts: 2, result: null },
      ]);
    });

    it("drains: what runs is finished, what waits stays for the next worker", async () => {
      await queue.enqueue(jobsNamed(..."abcdef"));
      const drain = new AbortController();
      const ended: string[] = [];
      let counts: unknown;
      const working = queue.work(
        async ({ id }) => {
          if (id === "b") {
            drain.abort();
            counts = await queue.counts();
          }
          await wait(30);
          ended.push(id);
        },
        { concurrency: 2, drain: drain.signal },
      );
      await working;
      expect(ended.sort()).toEqual(["a", "b"]);
      expect(counts).toEqual({ waiting: 4, running: 2, done: 0, failed: 0 });
      expect(await queue.counts()).toEqual({ waiting: 4, running: 0, done: 2, failed: 0 });
      await queue.work(async () => {}, { concurrency: 1, drain: drain.signal });
      expect((await queue.counts()).waiting).toBe(4);
      await workAll(async () => {}, 3);
      expect((await queue.counts()).done).toBe(6);
    });

    it("does jobs that come while it works, and waits for those of other workers", async () => {
      await queue.enqueue(jobsNamed("slow"));
      let slowEnded = false;
      const slow = workAll(async () => {
        await queue.enqueue(jobsNamed("late"));
        await wait(300);
        slowEnded = true;
      });
      while ((await queue.counts()).running === 0) await wait(5);
      const seen: string[] = [];
      await workAll(async ({ id }) => void seen.push(id));
      expect(slowEnded).toBe(true);
      expect(seen).toEqual(["late"]);
      await slow;
    });

    it("may be closed twice", async () => {
      await queue.close();
      await queue.close();
    });
  });
}
