import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/cli/compose.ts";
import type { Queue } from "../../src/domain/queue.ts";
import { openPostgresJournal } from "../../src/store/postgres.ts";
import { openPostgresQueue } from "../../src/store/queue-postgres.ts";
import { beginEvent } from "../trajectories/recorded-episode.ts";
import { hasPostgres, PostgresTestServer } from "./postgres-server.ts";

const script = fileURLToPath(new URL("./queue-worker.ts", import.meta.url));

/** As the workers have it. */
const rules = { maxAttempts: 3, retryDelaySec: 0, leaseSec: 3, pollMs: 100 };

const never = new AbortController().signal;

/** queue-worker.ts in a process of its own. */
class Worker {
  readonly child: ChildProcess;
  readonly #held = new Set<string>();
  readonly #ended: Promise<unknown>;
  #problems = "";

  constructor(url: string, name: string, ms: number) {
    const line = ["--import", "tsx", script, url, name, `${ms}`];
    this.child = spawn(process.execPath, line, { stdio: ["ignore", "pipe", "pipe"] });
    this.#ended = once(this.child, "close");
    this.child.stderr?.on("data", (chunk) => {
      this.#problems += chunk;
    });
    if (!this.child.stdout) return;
    createInterface(this.child.stdout).on("line", (told) => {
      const [what, job = ""] = told.split(" ");
      if (what === "start") this.#held.add(job);
      else this.#held.delete(job);
    });
  }

  /** What it wrote on stderr. */
  async ended(): Promise<string> {
    await this.#ended;
    return this.#problems;
  }

  /** Its jobs, once it holds as many. */
  async holds(count: number): Promise<readonly string[]> {
    while (this.#held.size < count) {
      if (this.child.exitCode !== null) throw new Error(`it ended early: ${await this.ended()}`);
      await systemClock.sleep(10, never);
    }
    return [...this.#held];
  }
}

describe.runIf(hasPostgres)("workers", () => {
  let server: PostgresTestServer;
  beforeAll(async () => {
    server = await PostgresTestServer.start();
  });
  afterAll(() => server.stop());

  let url: string;
  let queue: Queue;
  const workers: Worker[] = [];
  beforeEach(async () => {
    url = server.url(await server.createDatabase());
    queue = await openPostgresQueue(url, "batch", systemClock, rules);
  });
  afterEach(async () => {
    for (const { child } of workers.splice(0)) child.kill("SIGKILL");
    await queue.close();
  });

  const start = (name: string, ms: number) => {
    const worker = new Worker(url, name, ms);
    workers.push(worker);
    return worker;
  };

  const jobsOf = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ id: `job-${n}`, payload: null }));

  it("do every job once between them, though one is killed while it works", async () => {
    const jobs = jobsOf(24);
    await queue.enqueue(jobs);
    const first = start("first", 60_000);
    const orphans = await first.holds(2);
    const second = start("second", 50);
    await second.holds(1);
    first.child.kill("SIGKILL");
    expect(await second.ended()).toBe("");
    expect(await queue.results()).toEqual(
      jobs.map(({ id }) => {
        const attempts = orphans.includes(id) ? 2 : 1;
        return {
          id,
          state: "done",
          attempts,
          result: { worker: "second", run: `${id}#${attempts}` },
        };
      }),
    );
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, done: 24, failed: 0 });
    const journal = await openPostgresJournal(url, systemClock);
    const runs = await journal.runs();
    const unfinished = runs.filter(({ status }) => status === "running").map(({ run }) => run);
    expect(unfinished.sort()).toEqual(orphans.map((id) => `${id}#1`).sort());
    expect(runs).toHaveLength(26);
    await journal.close();
  });

  it("finish what runs on SIGTERM and leave the rest", async () => {
    await queue.enqueue(jobsOf(6));
    const worker = start("only", 1500);
    const held = await worker.holds(1);
    worker.child.kill("SIGTERM");
    expect(await worker.ended()).toBe("");
    expect(worker.child.exitCode).toBe(0);
    const { waiting, running, done } = await queue.counts();
    expect([waiting + done, running]).toEqual([6, 0]);
    expect(waiting).toBeGreaterThan(0);
    const results = await queue.results();
    expect(results.map(({ id }) => id)).toEqual(expect.arrayContaining([...held]));
    expect(results.every(({ attempts }) => attempts === 1)).toBe(true);
  });

  it("may open an empty database all at once, and enqueue the same", async () => {
    const database = await server.createDatabase();
    const at = server.url(database);
    const names = Array.from({ length: 20 }, (_, n) => `worker-${n}`);
    await Promise.all(
      names.map(async (run) => {
        const [journal, own] = await Promise.all([
          openPostgresJournal(at, systemClock),
          openPostgresQueue(at, "batch", systemClock, rules),
        ]);
        await own.enqueue(jobsOf(10));
        await journal.append(run, [beginEvent(run)]);
        await own.close();
        await journal.close();
      }),
    );
    expect(await server.query(database, "SELECT version FROM pmcoder.schema_version")).toEqual([
      { version: 2 },
    ]);
    const journal = await openPostgresJournal(at, systemClock);
    expect((await journal.runs()).map(({ run }) => run).sort()).toEqual(names.sort());
    await journal.close();
    const own = await openPostgresQueue(at, "batch", systemClock, rules);
    expect((await own.counts()).waiting).toBe(10);
    await own.close();
  });
});
