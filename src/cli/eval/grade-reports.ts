import { join } from "node:path";
import type { Grading } from "../../eval/batch/grader.ts";
import { normalPatch } from "../../eval/grading/predictions.ts";
import {
  type Graded,
  runReport,
  runReportName,
  type Ungraded,
} from "../../eval/grading/run-report.ts";
import { type GradingRecord, outcomeOf } from "../../eval/harness/grading-record.ts";
import { instanceFolder } from "../../eval/harness/layout.ts";
import { recordIn, standingRecord } from "../../eval/harness/stored-run.ts";
import { writeWhole } from "../../store/files.ts";
import type { GradedModel, GradingSource } from "./grade-source.ts";

export interface WrittenReport {
  readonly file: string;
  readonly report: ReturnType<typeof runReport>;
}

/**
 * Writes the official report of a run over all its instances, from what is recorded of each, and
 * from what was told of it (`graded`, by instance). A patch of which nothing is known, or nothing
 * under these rules, counts as not submitted yet.
 */
export function writeReport(
  { folder, instances, generation }: GradingSource,
  { runId, model, predictions }: GradedModel,
  graded: ReadonlyMap<string, Grading>,
): WrittenReport {
  const outcomes = new Map<string, Graded | Ungraded>();
  for (const { instance_id: instance, model_patch: patch } of predictions) {
    const place = instanceFolder(folder, { runId, model, instance });
    const told = graded.get(instance);
    const record = told
      ? recordIn(place)
      : standingRecord(place, { patch, script: null, generation });
    const outcome = outcomeIn(record, told);
    if (outcome !== null) outcomes.set(instance, outcome);
  }
  const report = runReport({
    generation,
    instanceIds: [...instances.keys()],
    predictions: predictions.filter(
      ({ instance_id: id, model_patch: patch }) => outcomes.has(id) || normalPatch(patch) === "",
    ),
    outcomes,
  });
  const file = join(folder, runReportName(model, runId));
  writeWhole(file, `${JSON.stringify(report, null, 4)}\n`);
  return { file, report };
}

function outcomeIn(record: GradingRecord | null, grading?: Grading): Graded | Ungraded | null {
  if (grading?.resolved === null) return { error: grading.remark ?? "" };
  if (record !== null) return outcomeOf(record);
  return grading ? { resolved: grading.resolved, refusal: null, infraFailure: null } : null;
}

/** One line for people. */
export function reportLine(model: GradedModel, { file, report }: WrittenReport): string {
  const counts = [
    `${report.resolved_instances} of ${report.submitted_instances} resolved`,
    `${report.unresolved_instances} not`,
    `${report.empty_patch_instances} empty`,
    `${report.error_instances} errors`,
  ];
  const name = [...new Set([model.runId, model.model])].join(" ");
  return `${name}: ${counts.join(", ")}  ${file}`;
}
