import PgBoss from "pg-boss";
import type { Clock } from "../domain/clock.ts";
import {
  type Job,
  type JobCounts,
  type JobHandler,
  type JobResult,
  type Queue,
  usualRules,
  type WorkOptions,
} from "../domain/queue.ts";
import { postgresError } from "./postgres-error.ts";
import { opening } from "./postgres-schema.ts";
import { connectPostgres, type PostgresServer } from "./postgres-server.ts";
import { keepLease, type Renewal } from "./queue-lease.ts";
import { type JobSource, jsonOf, type Lease, type Outcome, workThrough } from "./queue-loop.ts";
import {
  type Ended,
  ended,
  jobRow,
  type PostgresQueueRules,
  schema,
  statements,
  uuidOf,
} from "./queue-rows.ts";

/** Our choice: a dead worker's job starts again within 80 s, and a host that stutters keeps its own. */
const usualPostgresRules: PostgresQueueRules = { ...usualRules, leaseSec: 60, pollMs: 1000 };

/** Jobs in one insert, so that big payloads do not meet a limit of the protocol. */
const jobsPerInsert = 500;

/**
 * The queue `name` in a PostgreSQL database, kept by pg-boss in a schema `pmcoder_queue` that is made
 * if it is missing; workers on any host share it. A job's holder is known by its attempt, and only
 * the holder can renew it or write its outcome. Nothing is ever archived or deleted, so that an id
 * stays known. Rejects as `openPostgresJournal` does.
 */
export async function openPostgresQueue(
  url: string,
  name: string,
  clock: Pick<Clock, "sleep">,
  rules: Partial<PostgresQueueRules> = {},
): Promise<Queue> {
  const server = await connectPostgres(url, clock);
  const boss = bossOf(server);
  try {
    await opening(server, async () => {
      await boss.start();
      await boss.createQueue(name);
    });
    return new PostgresQueue(server, boss, name, { ...usualPostgresRules, ...rules });
  } catch (error) {
    await server.close();
    throw postgresError(server.name, "open the queue in", error);
  }
}

/** The queues in a database with jobs that wait or run, for a worker that serves them all. */
export async function busyQueues(
  url: string,
  clock: Pick<Clock, "sleep">,
): Promise<readonly string[]> {
  const server = await connectPostgres(url, clock);
  try {
    await opening(server, async () => {
      await bossOf(server).start();
    });
    const { rows } = await server.query<{ name: string }>(statements.busy);
    return rows.map(({ name }) => name);
  } catch (error) {
    throw postgresError(server.name, "read the queues in", error);
  } finally {
    await server.close();
  }
}

/** Without its timers: what they do is done here, more often or not at all. */
function bossOf(server: PostgresServer): PgBoss {
  const db = { executeSql: (text: string, values: unknown[]) => server.query(text, values) };
  return new PgBoss({ db, schema, supervise: false, schedule: false });
}

/** As pg-boss gives a job, in what is needed of it. */
type Fetched = PgBoss.JobWithMetadata<{ readonly text: string }>;

interface Held {
  readonly id: string;
  readonly attempt: number;
  readonly renewal: Renewal;
}

class PostgresQueue implements Queue, JobSource {
  readonly #server: PostgresServer;
  readonly #boss: PgBoss;
  readonly #name: string;
  readonly #rules: PostgresQueueRules;
  readonly #held = new Map<Lease, Held>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(server: PostgresServer, boss: PgBoss, name: string, rules: PostgresQueueRules) {
    this.#server = server;
    this.#boss = boss;
    this.#name = name;
    this.#rules = rules;
  }

  enqueue(jobs: readonly Job[]): Promise<void> {
    return this.#attempt("write to", async () => {
      const { rows } = await this.#server.query<{ next: number }>(statements.next, [this.#name]);
      const first = rows[0]?.next ?? 0;
      const known = new Set<string>();
      const firsts = jobs.filter(({ id }) => !known.has(id) && known.add(id));
      const inserts = firsts.map((job, n) => jobRow(this.#name, job, first - n, this.#rules));
      for (let from = 0; from < inserts.length; from += jobsPerInsert) {
        await this.#boss.insert(inserts.slice(from, from + jobsPerInsert));
      }
    });
  }

  work(handler: JobHandler, options: WorkOptions): Promise<void> {
    return workThrough(this, handler, options, this.#rules.pollMs);
  }

  take(limit: number): Promise<readonly Lease[]> {
    return this.#attempt("take jobs from", async () => {
      await this.#sweep();
      // pg-boss takes a failed query for an empty queue.
      const failures: unknown[] = [];
      const executeSql = async (text: string, values: unknown[]) => {
        try {
          return await this.#server.query(text, values);
        } catch (error) {
          failures.push(error);
          throw error;
        }
      };
      const options = { batchSize: limit, includeMetadata: true, db: { executeSql } } as const;
      const fetched = await this.#boss.fetch<Fetched["data"]>(this.#name, options);
      if (failures.length > 0) throw failures[0];
      return fetched.sort((a, b) => b.priority - a.priority).map((job) => this.#hold(job));
    });
  }

  settle(lease: Lease, outcome: Outcome): Promise<void> {
    return this.#attempt("write to", async () => {
      const held = this.#held.get(lease);
      if (!held) return;
      try {
        await this.#write(held, outcome);
      } finally {
        held.renewal.stop();
        this.#held.delete(lease);
      }
    });
  }

  async isSettled(): Promise<boolean> {
    const { waiting, running } = await this.counts();
    return waiting + running === 0;
  }

  counts(): Promise<JobCounts> {
    return this.#attempt("read", async () => {
      const none = { waiting: 0, running: 0, done: 0, failed: 0 };
      const { rows } = await this.#server.query<JobCounts>(statements.counts, [this.#name]);
      return rows[0] ?? none;
    });
  }

  results(except: ReadonlySet<string> = new Set()): Promise<readonly JobResult[]> {
    return this.#attempt("read", async () => {
      const known = [...except].map(uuidOf);
      const { rows } = await this.#server.query<Ended>(statements.ended, [this.#name, known]);
      return rows.map(ended);
    });
  }

  retryFailed(): Promise<void> {
    return this.#attempt("write to", async () => {
      await this.#server.query(statements.retryFailed, [this.#name, this.#rules.maxAttempts]);
    });
  }

  async close(): Promise<void> {
    for (const { renewal } of this.#held.values()) renewal.stop();
    this.#held.clear();
    await this.#server.close();
  }

  /** Gives the jobs of dead workers to the next; only who has room for one needs to. */
  async #sweep(): Promise<void> {
    const now = performance.now();
    if (now - this.#sweptAt < (this.#rules.leaseSec * 1000) / 3) return;
    this.#sweptAt = now;
    await this.#boss.expire();
  }

  #hold({ id, data, retryCount, expireInSeconds }: Fetched): Lease {
    const job = JSON.parse(data.text) as Job;
    const renew = async () => {
      const values = [this.#name, id, retryCount];
      return (await this.#server.query(statements.renew, values)).rowCount === 1;
    };
    const renewal = keepLease(Number(expireInSeconds) * 1000, renew);
    const lease = { job, attempt: retryCount + 1, lost: renewal.lost };
    this.#held.set(lease, { id, attempt: retryCount, renewal });
    return lease;
  }

  async #write({ id, attempt }: Held, outcome: Outcome): Promise<void> {
    await this.#server.transaction(async (client) => {
      const values = [this.#name, id, attempt];
      if ((await client.query(statements.lock, values)).rowCount !== 1) return;
      const db = {
        executeSql: (text: string, values: unknown[]) => client.query(text, values),
      };
      if (outcome.state === "returned") await client.query(statements.giveBack, values.slice(0, 2));
      else if (outcome.state === "done") {
        await this.#boss.complete(this.#name, id, { text: outcome.result }, { db });
      } else {
        await this.#boss.fail(this.#name, id, { text: jsonOf(outcome.error) }, { db });
      }
    });
  }

  async #attempt<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw postgresError(this.#server.name, `${doing} the queue in`, error);
    }
  }
}
