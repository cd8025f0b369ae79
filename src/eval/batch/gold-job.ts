import { z } from "zod";
import { GradingFields } from "./episode-result.ts";
import type { InstanceSpec } from "./episode-spec.ts";
import { gradePatiently } from "./grade-patiently.ts";
import type { Submission } from "./grader.ts";
import type { JobParts } from "./perform-job.ts";

/** What the grader says of an instance's own patch: a line of `gold.jsonl`. */
export const GoldResult = GradingFields.extend({
  instance: z.string(),
  /** Anything but true: the grader or the instance is broken. */
  resolved: z.boolean().nullable(),
});
export type GoldResult = Readonly<z.infer<typeof GoldResult>>;

/** The id of the job that grades an instance's own patch. */
export const goldId = (instance: string) => `gold/${instance}`;

/** Whether an id is that of such a job; an episode's has a third part. */
export const isGold = (id: string) => id.split("/").length === 2;

/** Grades an instance's own patch. */
export async function performGold(
  { row, repository }: InstanceSpec,
  where: Pick<Submission, "runId" | "folder">,
  parts: Pick<JobParts, "grader" | "gradingRetries" | "clock" | "signal">,
): Promise<GoldResult> {
  const { instance_id: instance, patch } = row;
  const submission = { id: goldId(instance), row, repository, patch: patch ?? "", ...where };
  return { instance, ...(await gradePatiently(submission, parts)) };
}
