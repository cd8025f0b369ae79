import { z } from "zod";

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
  /** Why the log was not counted, or what speaks against the result; null: nothing. */
  remark: z.string().nullable(),
});
export type GradingRecord = Readonly<z.infer<typeof GradingRecord>>;

/** The record in a text; null: there is none, or another version's. */
export function readRecord(text: string): GradingRecord | null {
  try {
    return GradingRecord.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
