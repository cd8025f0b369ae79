import { PmcoderError } from "../domain/errors.ts";
import type { Job, JobHandler, WorkOptions } from "../domain/queue.ts";

/** A job that this worker holds. */
export interface Lease {
  readonly job: Job;
  /** From 1. */
  readonly attempt: number;
  /** Aborts when the job may be another's. */
  readonly lost: AbortSignal;
}

export type Outcome =
  /** `result` is JSON. */
  | { readonly state: "done"; readonly result: string }
  | { readonly state: "failed"; readonly error: string }
  /** Given back without counting as an attempt. */
  | { readonly state: "returned" };

/** What a queue keeps of its jobs, as its workers need it. */
export interface JobSource {
  /** At most `limit` jobs, the first ones that may start now. */
  take(limit: number): Promise<readonly Lease[]>;
  /** Writes the outcome, or nothing if the job is no longer this lease's. */
  settle(lease: Lease, outcome: Outcome): Promise<void>;
  /** Whether no job waits or runs anywhere. */
  isSettled(): Promise<boolean>;
}

/**
 * `Queue.work` over any source. A source that fails ends it: no more jobs are taken, those that run
 * are finished, and the failure is thrown. `pollMs`: between two looks at a queue that has nothing
 * for this worker.
 */
export async function workThrough(
  source: JobSource,
  handler: JobHandler,
  options: WorkOptions,
  pollMs: number,
): Promise<void> {
  const hands = new Hands(source, handler, options, pollMs);
  try {
    for (;;) {
      const room = hands.room;
      if (room > 0 && (await hands.take(room)) === room) continue;
      if (await hands.isThrough()) return;
      await hands.pause();
    }
  } finally {
    await hands.finish();
  }
}

/** The jobs that run now, and the room for more. */
class Hands {
  readonly #source: JobSource;
  readonly #handler: JobHandler;
  readonly #options: WorkOptions;
  readonly #pollMs: number;
  readonly #running = new Set<Promise<void>>();
  readonly #failures: unknown[] = [];
  #wake = () => {};

  constructor(source: JobSource, handler: JobHandler, options: WorkOptions, pollMs: number) {
    this.#source = source;
    this.#handler = handler;
    this.#options = options;
    this.#pollMs = pollMs;
  }

  get room(): number {
    const { concurrency, drain } = this.#options;
    return drain.aborted || this.#failures.length > 0 ? 0 : concurrency - this.#running.size;
  }

  async take(room: number): Promise<number> {
    const leases = await this.#source.take(room);
    for (const lease of leases) this.#start(lease);
    return leases.length;
  }

  async isThrough(): Promise<boolean> {
    if (this.#running.size > 0) return false;
    if (this.#options.drain.aborted || this.#failures.length > 0) return true;
    return this.#source.isSettled();
  }

  /** Until a job ends or draining begins; where there is room for another, until the next look. */
  async pause(): Promise<void> {
    const { drain } = this.#options;
    const looks = this.room > 0 || this.#running.size === 0;
    await new Promise<void>((resolve) => {
      // Not a race of the running jobs' promises: those would gather a listener a pause.
      const end = () => {
        clearTimeout(timer);
        drain.removeEventListener("abort", end);
        this.#wake = () => {};
        resolve();
      };
      const timer = looks ? setTimeout(end, this.#pollMs) : undefined;
      if (!drain.aborted) drain.addEventListener("abort", end);
      this.#wake = end;
    });
  }

  /** Until none runs. Throws the first failure of the source. */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  #start(lease: Lease): void {
    const running = attempt(this.#handler, lease)
      .then((outcome) => this.#source.settle(lease, outcome))
      .catch((error: unknown) => {
        this.#failures.push(error);
      })
      .then(() => {
        this.#running.delete(running);
        this.#wake();
      });
    this.#running.add(running);
  }
}

async function attempt(handler: JobHandler, lease: Lease): Promise<Outcome> {
  try {
    const result = await handler(lease.job, { number: lease.attempt, signal: lease.lost });
    return { state: "done", result: jsonOf(result) };
  } catch (error) {
    if (error instanceof PmcoderError && error.code === "interrupted") return { state: "returned" };
    return { state: "failed", error: error instanceof Error ? error.message : String(error) };
  }
}

/** Throws TypeError for what JSON cannot hold, such as a circle. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
