import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Grading } from "../batch/grader.ts";
import type { DatasetRow } from "../dataset-row.ts";
import type { Generation } from "../grading/log-parsers.ts";
import { endedByHarness } from "../grading/test-output.ts";
import type { GradingRecord } from "./grading-record.ts";
import { fileNames } from "./layout.ts";
import { storedRun, type Write } from "./stored-run.ts";

/** A dataset as the official harness reads it: JSON lines, without fields that a row does not have. */
export function officialRows(rows: Iterable<DatasetRow>): string {
  const lines = [...rows].map((row) => {
    const known = Object.entries(row).filter(([, value]) => value !== null);
    return `${JSON.stringify(Object.fromEntries(known))}\n`;
  });
  return lines.join("");
}

const Report = z.record(
  z.string(),
  z.object({
    patch_successfully_applied: z.boolean(),
    resolved: z.boolean(),
    infra_failure: z.boolean().optional(),
    infra_failure_reason: z.string().optional(),
  }),
);

export interface OfficialParts {
  /** `swebench` and its version. */
  readonly grader: string;
  readonly generation: Generation;
  readonly write: Write;
}

/**
 * Takes over what the official harness left of an instance, and records it. null: it came to no end,
 * for a reason of the infrastructure.
 */
export function adoptOfficial(
  instance: string,
  folder: string,
  { grader, generation, write }: OfficialParts,
): Grading | null {
  const found = verdictIn(instance, folder);
  if (found === null) return null;
  const record: GradingRecord = {
    instance_id: instance,
    grader,
    generation,
    key: null,
    testbed: null,
    exit_code: null,
    seconds: 0,
    reused: null,
    ...found,
  };
  write(join(folder, fileNames.record), `${JSON.stringify(record, null, 2)}\n`);
  return { resolved: record.resolved, remark: record.remark, grader, generation };
}

type Verdict = Pick<
  GradingRecord,
  "patch_applied" | "timed_out" | "resolved" | "is_error" | "infra_failure" | "remark"
>;

function verdictIn(instance: string, folder: string): Verdict | null {
  const report = reportIn(instance, folder);
  if (report !== null) {
    const { resolved, infra_failure: isInfra, infra_failure_reason: reason } = report;
    const tier = isInfra === true ? ("environment" as const) : ("ambiguous" as const);
    return {
      patch_applied: true,
      timed_out: false,
      resolved,
      is_error: false,
      infra_failure: reason === undefined ? null : { reason, tier },
      remark: report.patch_successfully_applied ? null : "swebench did not count the log",
    };
  }
  const run = storedRun(folder);
  if (run === null) return null;
  const log = run.log === null ? null : Buffer.from(run.log).toString("utf8");
  const timedOut = log !== null && endedByHarness(log);
  const why = timedOut ? "the tests took too long and were ended" : "its parser ends on the log";
  return {
    patch_applied: run.patchApplied,
    timed_out: timedOut,
    resolved: false,
    is_error: true,
    infra_failure: null,
    remark: run.patchApplied ? why : "the patch does not apply",
  };
}

/** null: none, or none that can be read. */
function reportIn(instance: string, folder: string) {
  const file = join(folder, fileNames.report);
  if (!existsSync(file)) return null;
  try {
    return Report.parse(JSON.parse(readFileSync(file, "utf8")))[instance] ?? null;
  } catch {
    return null;
  }
}
