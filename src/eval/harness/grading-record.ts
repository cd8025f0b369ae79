import { z } from "zod";
import type { Graded, Ungraded } from "../grading/run-report.ts";

/** How an instance was graded: `grading.json` beside its log, written after everything else. */
export const GradingRecord = z.object({
  instance_id: z.string(),
  /** The grader and its version. */
  grader: z.string(),
  generation: z.enum(["v4", "v5", "strict"]),
  /** Of place, patch and script: what `testRunKey` says; null: another harness ran the tests. */
  key: z.string().nullable(),
  /** What the tests ran in: an image by its id, or a bundled tree by its commit; null: not known. */
  testbed: z.string().nullable(),
  patch_applied: z.boolean(),
  timed_out: z.boolean(),
  /** Of the script; null: it was not run. */
  exit_code: z.int().nullable(),
  /** Of the script. */
  seconds: z.number(),
  /** Folder, relative to this one, of the run of tests that this log was taken from; null: its own. */
  reused: z.string().nullable(),
  resolved: z.boolean(),
  /** The official harness counts it as an error: the tests were not run, or not to their end. */
  is_error: z.boolean(),
  /** What v5 reads in the log of an instance that is not resolved; null: nothing. */
  infra_failure: z
    .object({ reason: z.string(), tier: z.enum(["environment", "ambiguous"]) })
    .nullable(),
  /** Why the log was not counted, or what speaks against the result; null: nothing. */
  remark: z.string().nullable(),
});
export type GradingRecord = Readonly<z.infer<typeof GradingRecord>>;

/** What the run's report takes of a record. */
export function outcomeOf({ is_error, remark, ...record }: GradingRecord): Graded | Ungraded {
  if (is_error) return { error: remark ?? "" };
  return { resolved: record.resolved, refusal: null, infraFailure: record.infra_failure };
}

/** The record in a text; null: there is none, or another version's. */
export function readRecord(text: string): GradingRecord | null {
  try {
    return GradingRecord.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
