import type { JobResult } from "../domain/queue.ts";

/** Where pg-boss keeps its tables. */
export const schema = "pmcoder_queue";

const held = "name = $1 AND id = $2 AND retry_count = $3 AND state = 'active'";

/**
 * What pg-boss 10 has no call for, on its table of jobs. `started_on` plus `expire_in` is the end of
 * a lease; `retry_count` tells one attempt from the next.
 */
export const statements = {
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
    FROM ${schema}.job WHERE name = $1 AND state IN ('completed', 'failed')
    ORDER BY priority DESC, id`,
} as const;

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
