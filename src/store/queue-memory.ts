import type { Clock } from "../domain/clock.ts";
import {
  type Job,
  type JobCounts,
  type JobHandler,
  type JobResult,
  type Queue,
  type QueueRules,
  usualRules,
  type WorkOptions,
} from "../domain/queue.ts";
import { type JobSource, jsonOf, type Lease, type Outcome, workThrough } from "./queue-loop.ts";

/** Between two looks at what waits for its next attempt; a job that ends is noticed at once. */
const pollMs = 50;

interface Kept {
  readonly id: string;
  readonly payload: string;
  readonly position: number;
  state: keyof JobCounts;
  attempts: number;
  /** Attempts until it has failed. */
  limit: number;
  dueAt: number;
  /** JSON of the result, or why the last attempt failed. */
  outcome: string;
}

const neverLost = new AbortController().signal;

/**
 * A queue in this process, gone with it: who restarts enqueues again, without what is done. Jobs and
 * results are kept as JSON, so that they are what another machine would get.
 */
export function openMemoryQueue(clock: Pick<Clock, "now">, rules: Partial<QueueRules> = {}): Queue {
  return new MemoryQueue(clock, { ...usualRules, ...rules });
}

class MemoryQueue implements Queue, JobSource {
  readonly #clock: Pick<Clock, "now">;
  readonly #rules: QueueRules;
  readonly #jobs = new Map<string, Kept>();
  /** Those that wait, by position. */
  readonly #waiting: Kept[] = [];

  constructor(clock: Pick<Clock, "now">, rules: QueueRules) {
    this.#clock = clock;
    this.#rules = rules;
  }

  async enqueue(jobs: readonly Job[]): Promise<void> {
    for (const { id, payload } of jobs) {
      if (this.#jobs.has(id)) continue;
      const kept: Kept = {
        id,
        payload: jsonOf(payload),
        position: this.#jobs.size,
        state: "waiting",
        attempts: 0,
        limit: this.#rules.maxAttempts,
        dueAt: this.#clock.now(),
        outcome: "",
      };
      this.#jobs.set(id, kept);
      this.#waiting.push(kept);
    }
  }

  work(handler: JobHandler, options: WorkOptions): Promise<void> {
    return workThrough(this, handler, options, pollMs);
  }

  async take(limit: number): Promise<readonly Lease[]> {
    const leases: Lease[] = [];
    while (leases.length < limit) {
      const next = this.#waiting.findIndex(({ dueAt }) => dueAt <= this.#clock.now());
      const [kept] = next < 0 ? [] : this.#waiting.splice(next, 1);
      if (!kept) break;
      kept.state = "running";
      kept.attempts += 1;
      const job: Job = { id: kept.id, payload: JSON.parse(kept.payload) };
      leases.push({ job, attempt: kept.attempts, lost: neverLost });
    }
    return leases;
  }

  async settle({ job }: Lease, outcome: Outcome): Promise<void> {
    const kept = this.#jobs.get(job.id);
    if (kept?.state !== "running") return;
    if (outcome.state === "done") {
      kept.state = "done";
      kept.outcome = outcome.result;
      return;
    }
    if (outcome.state === "returned") kept.limit += 1;
    else kept.outcome = outcome.error;
    if (kept.attempts >= kept.limit) kept.state = "failed";
    else this.#wait(kept, outcome.state === "returned" ? 0 : this.#rules.retryDelaySec);
  }

  async isSettled(): Promise<boolean> {
    const { waiting, running } = await this.counts();
    return waiting + running === 0;
  }

  async counts(): Promise<JobCounts> {
    const counts = { waiting: 0, running: 0, done: 0, failed: 0 };
    for (const { state } of this.#jobs.values()) counts[state] += 1;
    return counts;
  }

  async results(except: ReadonlySet<string> = new Set()): Promise<readonly JobResult[]> {
    return [...this.#jobs.values()].filter(({ id }) => !except.has(id)).flatMap(resultOf);
  }

  async retryFailed(): Promise<void> {
    for (const kept of this.#jobs.values()) {
      if (kept.state !== "failed") continue;
      kept.limit = kept.attempts + this.#rules.maxAttempts;
      this.#wait(kept, 0);
    }
  }

  async close(): Promise<void> {}

  #wait(kept: Kept, delaySec: number): void {
    kept.state = "waiting";
    kept.dueAt = this.#clock.now() + delaySec * 1000;
    const behind = this.#waiting.findIndex(({ position }) => position > kept.position);
    this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, kept);
  }
}

function resultOf({ id, state, attempts, outcome }: Kept): readonly JobResult[] {
  if (state === "done") return [{ id, state, attempts, result: JSON.parse(outcome) }];
  return state === "failed" ? [{ id, state, attempts, error: outcome }] : [];
}
