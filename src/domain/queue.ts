export interface Job {
  /** Stable: the same work has the same id after a restart. */
  readonly id: string;
  /** What JSON keeps of it reaches the handler. */
  readonly payload: unknown;
}

/** Jobs by where they stand. `waiting` counts those that will be tried again. */
export interface JobCounts {
  readonly waiting: number;
  readonly running: number;
  readonly done: number;
  readonly failed: number;
}

/** How a job ended. `attempts`: how often it was started. */
export type JobResult =
  | {
      readonly id: string;
      readonly state: "done";
      readonly attempts: number;
      /** What JSON keeps of the handler's value; null for nothing. */
      readonly result: unknown;
    }
  | {
      readonly id: string;
      readonly state: "failed";
      readonly attempts: number;
      /** Why the last attempt failed. */
      readonly error: string;
    };

export interface Attempt {
  /** From 1. */
  readonly number: number;
  /** Aborts when the job may have gone to another worker: what is still done for it is in vain. */
  readonly signal: AbortSignal;
}

/**
 * Does a job. What it resolves with is the job's result, a failed test or a model that gave up
 * included. It rejects only for what another attempt may not meet (a lost engine, a full disk); with
 * PmcoderError `interrupted` the job goes back as if it had not been tried.
 */
export type JobHandler = (job: Job, attempt: Attempt) => Promise<unknown>;

export interface WorkOptions {
  /** Jobs that this worker does at once. */
  readonly concurrency: number;
  /** When it aborts, no more jobs are taken; those that run are finished. */
  readonly drain: AbortSignal;
}

/** What the one who enqueues decides about failures. */
export interface QueueRules {
  /** Attempts of a job, after which it has failed. */
  readonly maxAttempts: number;
  /** Seconds before a failed attempt is followed by another. */
  readonly retryDelaySec: number;
}

/** Our choice: one more chance than two tools that fail at once, after Docker had time to restart. */
export const usualRules: QueueRules = { maxAttempts: 3, retryDelaySec: 15 };

/**
 * Jobs for one worker or many.
 *
 * Contract (test/contracts/queue.ts): no job is lost and each is done **at least once**: a worker
 * that dies or loses the server gives its job to another, which starts it anew. Its result is written
 * **once**, by the worker that holds the job at that time; another's is dropped. So a handler may run
 * twice, but only after its first worker failed, died or was out of reach, and whatever it leaves
 * besides its result must bear that. All reject with PmcoderError `storage` when the queue is lost.
 */
export interface Queue {
  /** Adds the jobs whose ids it does not know, in order, behind those that wait. Others stay as they are. */
  enqueue(jobs: readonly Job[]): Promise<void>;
  /**
   * Hands jobs to `handler` in the order of `enqueue`, until every job is done or has failed, those
   * of other workers included, or until `drain` aborts. Several may work at once.
   */
  work(handler: JobHandler, options: WorkOptions): Promise<void>;
  counts(): Promise<JobCounts>;
  /** Of the jobs that are done or have failed, in the order of `enqueue`, without those of these ids. */
  results(except?: ReadonlySet<string>): Promise<readonly JobResult[]>;
  /** Gives failed jobs as many attempts again. */
  retryFailed(): Promise<void>;
  /** After `work` has resolved. Jobs that still run are as those of a dead worker. */
  close(): Promise<void>;
}
