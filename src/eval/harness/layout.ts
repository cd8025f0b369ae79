import { join } from "node:path";
import { PmcoderError } from "../../domain/errors.ts";

/** The files of a graded instance: the official names, and `grading.json`, which is ours. */
export const fileNames = {
  report: "report.json",
  log: "test_output.txt",
  script: "eval.sh",
  patch: "patch.diff",
  account: "run_instance.log",
  record: "grading.json",
} as const;

/**
 * The folder of an instance's grading below the one with all results, as SWE-bench lays it. Throws
 * PmcoderError `usage` for a run id or a model that cannot be a folder's name.
 */
export function instanceFolder(
  root: string,
  {
    runId,
    model,
    instance,
  }: { readonly runId: string; readonly model: string; readonly instance: string },
): string {
  const parts = [
    part(runId, "run id"),
    part(model.replaceAll("/", "__"), "model's name"),
    instance,
  ];
  return join(root, "logs", "run_evaluation", ...parts);
}

function part(name: string, what: string): string {
  if (/^[^/\\\0]{1,200}$/.test(name) && !/^\.{1,2}$/.test(name)) return name;
  throw new PmcoderError(
    "usage",
    `The ${what} ${JSON.stringify(name)} cannot be the name of a folder, which the official layout wants; take another.`,
  );
}
