import { createHash } from "node:crypto";
import type { JobInsert } from "pg-boss";
import type { Job, JobResult, QueueRules } from "../domain/queue.ts";
import { jsonOf } from "./queue-loop.ts";

export interface PostgresQueueRules extends QueueRules {
  /**
   * Seconds after which a worker that gives no sign has lost its jobs; it gives one three times in
   * that time. Of the one who enqueues, for all workers.
   */
  readonly leaseSec: number;
  /** Between two looks of an idle worker. */
  readonly pollMs: number;
}

/** Where pg-boss keeps its tables. */
export const schema = "pmcoder_queue";

const held = "name = $1 AND id = $2 AND retry_count = $3 AND state = 'active'";

/**
 * What pg-boss 10 has no call for, on its table of jobs. `started_on` plus `expire_in` is the end of
 * a lease; `retry_count` tells one attempt from the next.
 */
export const statements = {
  busy: `SELECT DISTINCT name FROM ${schema}.job WHERE state <= 'active' ORDER BY name`,
  /** The priority behind all others. */
  next: `SELECT COALESCE(min(priority), 1) - 1 AS next FROM ${schema}.job WHERE name = $1`,
  renew: `UPDATE ${schema}.job SET started_on = now() WHERE ${held}`,
  lock: `SELECT 1 FROM ${schema}.job WHERE ${held} FOR UPDATE`,
  giveBack: `UPDATE ${schema}.job SET state = 'retry', retry_limit = retry_limit + 1, start_after = now()
    WHERE name = $1 AND id = $2`,
  retryFailed: `UPDATE ${schema}.job SET state = 'retry', retry_limit = retry_count + $2,
      start_after = now(), completed_on = NULL
    WHERE name = $1 AND state = 'failed'`,
  counts: `SELECT
      count(*) FILTER (WHERE state < 'active')::int AS waiting,
      count(*) FILTER (WHERE state = 'active')::int AS running,
      count(*) FILTER (WHERE state = 'completed')::int AS done,
      count(*) FILTER (WHERE state = 'failed')::int AS failed
    FROM ${schema}.job WHERE name = $1`,
  ended: `SELECT data->>'text' AS job, output->>'text' AS output, state, retry_count + 1 AS attempts,
      EXTRACT(epoch FROM expire_in)::float AS "leaseSec"
    FROM ${schema}.job
    WHERE name = $1 AND state IN ('completed', 'failed') AND id <> ALL ($2::uuid[])
    ORDER BY priority DESC, id`,
} as const;

/** A job as pg-boss inserts it, unless it knows its id. The highest priority goes first. */
export function jobRow(
  queue: string,
  { id, payload }: Job,
  priority: number,
  { maxAttempts, retryDelaySec, leaseSec }: PostgresQueueRules,
): JobInsert {
  return {
    id: uuidOf(id),
    name: queue,
    data: { text: jsonOf({ id, payload }) },
    priority,
    retryLimit: maxAttempts - 1,
    retryDelay: retryDelaySec,
    expireInSeconds: leaseSec,
  };
}

/** pg-boss knows a job by a UUID: version 8 (RFC 9562), made of the id's hash. */
export function uuidOf(id: string): string {
  const bytes = createHash("sha256").update(jsonOf(id)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * A job that has ended. Job and output are JSON in a text, for a text in `jsonb` cannot hold all that
 * one in JSON can. Without an output of ours its lease ran out.
 */
export interface Ended {
  readonly job: string;
  readonly output: string | null;
  readonly state: "completed" | "failed";
  readonly attempts: number;
  readonly leaseSec: number;
}

export function ended({ job, output, state, attempts, leaseSec }: Ended): JobResult {
  const { id } = JSON.parse(job) as { readonly id: string };
  if (state === "completed") {
    return { id, state: "done", attempts, result: JSON.parse(output ?? "null") };
  }
  const silent = `Its worker gave no sign for ${leaseSec} s: it died, or lost the server.`;
  return { id, state: "failed", attempts, error: output === null ? silent : JSON.parse(output) };
}
