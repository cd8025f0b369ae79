import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/cli/compose.ts";
import type { Attempt, JobHandler, Queue } from "../../src/domain/queue.ts";
import { busyQueues, openPostgresQueue } from "../../src/store/queue-postgres.ts";
import { describeQueue } from "../contracts/queue.ts";
import { PostgresProxy } from "./postgres-proxy.ts";
import { hasPostgres, PostgresTestServer } from "./postgres-server.ts";

const rules = { maxAttempts: 3, retryDelaySec: 0, leaseSec: 30, pollMs: 50 };
const short = { ...rules, leaseSec: 2 };

const never = new AbortController().signal;

const aborted = async ({ signal }: Attempt) => {
  if (!signal.aborted) await once(signal, "abort");
};

describe.runIf(hasPostgres)("PostgreSQL", () => {
  let server: PostgresTestServer;
  let url: string;
  beforeAll(async () => {
    server = await PostgresTestServer.start();
    url = server.url(await server.createDatabase());
  });
  afterAll(() => server.stop());

  /** A queue of its own for each test. */
  let name: string;
  let tests = 0;
  beforeEach(() => {
    tests += 1;
    name = `experiment ${tests}`;
  });

  const open = (own = rules, at = url) => openPostgresQueue(at, name, systemClock, own);

  async function withQueue(use: (queue: Queue) => Promise<void>, own = rules): Promise<void> {
    const queue = await open(own);
    try {
      await use(queue);
    } finally {
      await queue.close();
    }
  }

  describeQueue("PostgreSQL", async () => {
    const queue = await open();
    return { queue, close: () => queue.close() };
  });

  it("keeps the queues of two experiments apart", () =>
    withQueue(async (smoke) => {
      await smoke.enqueue([{ id: "a", payload: "of smoke" }]);
      const experiment = name;
      name = "ablations";
      await withQueue(async (ablations) => {
        await ablations.enqueue([{ id: "a", payload: "of ablations" }]);
        await ablations.work(async ({ payload }) => payload, { concurrency: 1, drain: never });
        expect(await smoke.counts()).toMatchObject({ waiting: 1, done: 0 });
        expect(await ablations.results()).toMatchObject([{ id: "a", result: "of ablations" }]);
        const busy = await busyQueues(url, systemClock);
        expect([busy.includes(experiment), busy.includes(name)]).toEqual([true, false]);
      });
    }));

  it("keeps the order of hundreds, and skips those that it knows", () =>
    withQueue(async (queue) => {
      const jobs = Array.from({ length: 600 }, (_, n) => ({ id: `job ${n}`, payload: n }));
      await queue.enqueue(jobs.slice(0, 250));
      await queue.enqueue(jobs);
      const seen: unknown[] = [];
      await queue.work(async ({ payload }) => void seen.push(payload), {
        concurrency: 100,
        drain: never,
      });
      expect(seen).toEqual(jobs.map(({ payload }) => payload));
    }));

  it("leaves a job to its worker for longer than a lease, while another one waits for it", () =>
    withQueue(async (queue) => {
      const other = await open(short);
      await queue.enqueue([{ id: "long", payload: null }]);
      const seen: unknown[] = [];
      const handler: JobHandler = async ({ id }, { number, signal }) => {
        await systemClock.sleep(4500, never);
        seen.push([id, number, signal.aborted]);
      };
      await Promise.all(
        [queue, other].map((each) => each.work(handler, { concurrency: 1, drain: never })),
      );
      expect(seen).toEqual([["long", 1, false]]);
      await other.close();
    }, short));

  it("gives the job of a worker that is out of reach to another, and keeps that one's result", async () => {
    const proxy = await PostgresProxy.open(url);
    const far = await open(short, proxy.through(url));
    try {
      await withQueue(async (near) => {
        await near.enqueue([{ id: "a", payload: null }]);
        const order: string[] = [];
        const farWork = far.work(
          async (_job, attempt) => {
            proxy.freeze();
            await aborted(attempt);
            order.push("far has lost it");
            return "far";
          },
          { concurrency: 1, drain: never },
        );
        while ((await near.counts()).running !== 1) await systemClock.sleep(20, never);
        await near.work(
          async (_job, { number }) => {
            order.push(`near starts attempt ${number}`);
            proxy.thaw();
            // Long enough that the other one asks to write its result while this one holds the job.
            await systemClock.sleep(1500, never);
            return "near";
          },
          { concurrency: 1, drain: never },
        );
        await farWork;
        expect(order.sort()).toEqual(["far has lost it", "near starts attempt 2"]);
        expect(await near.results()).toEqual([
          { id: "a", state: "done", attempts: 2, result: "near" },
        ]);
      }, short);
    } finally {
      await far.close();
      await proxy.close();
    }
  });

  it("writes a result once when the server's answer to it is lost", async () => {
    const proxy = await PostgresProxy.open(url);
    const queue = await open(short, proxy.through(url));
    try {
      await queue.enqueue(["a", "b"].map((id) => ({ id, payload: null })));
      const seen: unknown[] = [];
      await queue.work(
        async ({ id }, { number }) => {
          seen.push([id, number]);
          proxy.loseAnswer("COMMIT");
          return id;
        },
        { concurrency: 1, drain: never },
      );
      expect(seen).toEqual([
        ["a", 1],
        ["b", 1],
      ]);
      expect((await queue.results()).map(({ state }) => state)).toEqual(["done", "done"]);
    } finally {
      await queue.close();
      await proxy.close();
    }
  });

  it("goes on when the server crashes and comes back", () =>
    withQueue(async (queue) => {
      const jobs = Array.from({ length: 20 }, (_, n) => ({ id: `${n}`, payload: n }));
      await queue.enqueue(jobs);
      let crash: Promise<void> | undefined;
      await queue.work(
        async ({ payload }) => {
          if (payload === 5) crash = server.crash().then(() => server.resume());
          await systemClock.sleep(50, never);
          return payload;
        },
        { concurrency: 4, drain: never },
      );
      await crash;
      const results = await queue.results();
      expect(results).toEqual(
        jobs.map(({ id, payload }) =>
          expect.objectContaining({ id, state: "done", result: payload }),
        ),
      );
    }, short));

  it("gives up a job on which each worker dies, and says so", async () => {
    const two = { ...rules, maxAttempts: 2, leaseSec: 1 };
    await withQueue(async (queue) => {
      await queue.enqueue([{ id: "heavy", payload: null }]);
    }, two);
    for (const attempt of [1, 2]) {
      const dying = await open(two);
      const started = new Promise<number>((resolve) => {
        const hang = (_job: unknown, { number }: Attempt) => {
          resolve(number);
          return new Promise<never>(() => {});
        };
        void dying.work(hang, { concurrency: 1, drain: never });
      });
      expect(await started).toBe(attempt);
      await dying.close();
    }
    await withQueue(async (queue) => {
      await queue.work(() => Promise.reject(new Error("unexpected")), {
        concurrency: 1,
        drain: never,
      });
      expect(await queue.results()).toEqual([
        {
          id: "heavy",
          state: "failed",
          attempts: 2,
          error: "Its worker gave no sign for 1 s: it died, or lost the server.",
        },
      ]);
    }, two);
  });

  it("fails with what to do when its tables are gone", () =>
    withQueue(async (queue) => {
      const database = new URL(url).pathname.slice(1);
      await server.query(database, "DROP SCHEMA pmcoder_queue CASCADE");
      const work = () => queue.work(async () => {}, { concurrency: 1, drain: never });
      await expect(work()).rejects.toMatchObject({
        code: "storage",
        message: `Cannot take jobs from the queue in ${server.name(database)}: its tables are gone. Start pmcoder again to make them anew.`,
      });
      await expect(queue.counts()).rejects.toMatchObject({ code: "storage" });
    }));
});
