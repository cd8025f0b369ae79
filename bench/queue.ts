import { systemClock } from "../src/cli/compose.ts";
import type { Queue } from "../src/domain/queue.ts";
import { openMemoryQueue } from "../src/store/queue-memory.ts";
import { openPostgresQueue } from "../src/store/queue-postgres.ts";
import { hasPostgres, PostgresTestServer } from "../test/store/postgres-server.ts";
import type { Benchmark, Figure } from "./figure.ts";

const jobs = Array.from({ length: 500 }, (_, n) => ({ id: `job ${n}`, payload: { n } }));

/** Milliseconds a job, from enqueueing to its result, where the job itself takes no time. */
async function msPerJob(queue: Queue): Promise<number> {
  const started = performance.now();
  await queue.enqueue(jobs);
  await queue.work(async ({ payload }) => payload, {
    concurrency: 1,
    drain: new AbortController().signal,
  });
  const ms = (performance.now() - started) / jobs.length;
  await queue.close();
  return ms;
}

function judged(figure: string, value: number, most: number): Figure {
  const goal = `<= ${most} ms`;
  return {
    figure,
    value,
    unit: "ms",
    n: jobs.length,
    peer: null,
    ratio: null,
    goal,
    met: value <= most,
  };
}

/** What a queue adds to a job of one worker; PostgreSQL on this machine, its disk not waited for. */
export const queueOverhead: Benchmark = async () => {
  const memory = judged("queue_memory", await msPerJob(openMemoryQueue(systemClock)), 1);
  if (!hasPostgres) return [memory, { figure: "queue_postgres", skipped: "no PostgreSQL server" }];
  const server = await PostgresTestServer.start();
  try {
    const url = server.url(await server.createDatabase());
    const queue = await openPostgresQueue(url, "bench", systemClock);
    return [memory, judged("queue_postgres", await msPerJob(queue), 20)];
  } finally {
    await server.stop();
  }
};
