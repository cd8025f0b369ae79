import { setTimeout as wait } from "node:timers/promises";
import { openPostgresJournal } from "../../src/store/postgres.ts";
import { openPostgresQueue } from "../../src/store/queue-postgres.ts";
import { beginEvent } from "../trajectories/recorded-episode.ts";

/**
 * A worker of its own: does the jobs of the queue `batch` at `url`, two at once, until none is left.
 * Each takes `ms` and writes a run, named by job and attempt, into the journal there. On stdout it
 * tells each job as it starts, and each as it ends. SIGTERM drains it.
 */
const [url = "", worker = "", ms = "0"] = process.argv.slice(2);
const rules = { maxAttempts: 3, retryDelaySec: 0, leaseSec: 3, pollMs: 100 };
const clock = { now: Date.now, sleep: (ms: number) => wait(ms) };
const journal = await openPostgresJournal(url, clock);
const queue = await openPostgresQueue(url, "batch", clock, rules);
const drain = new AbortController();
process.once("SIGTERM", () => drain.abort());
await queue.work(
  async ({ id }, { number }) => {
    process.stdout.write(`start ${id}\n`);
    const run = `${id}#${number}`;
    await journal.append(run, [beginEvent(run)]);
    await wait(Number(ms));
    await journal.append(run, [{ type: "end", status: "submitted", reason: worker, seconds: 1 }]);
    process.stdout.write(`end ${id}\n`);
    return { worker, run };
  },
  { concurrency: 2, drain: drain.signal },
);
await queue.close();
await journal.close();
