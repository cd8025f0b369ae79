import { PmcoderError } from "../../domain/errors.ts";
import type { Grade } from "./grade.ts";
import { type InfraFailure, infraFailureIn } from "./infra-failure.ts";
import type { Generation } from "./log-parsers.ts";
import { normalPatch, type Prediction } from "./predictions.ts";

/** An instance that could not be graded: no container, no patch that applies, no log. */
export interface Ungraded {
  readonly error: string;
}

/** What a run's report takes of a grade. */
export type Graded = Pick<Grade, "resolved" | "refusal" | "infraFailure">;

export interface GradedRun {
  readonly generation: Generation;
  /** Every instance of the data set, or of the slice that was run. */
  readonly instanceIds: readonly string[];
  readonly predictions: readonly Prediction[];
  /** By instance; a patch that is not empty and has no outcome is an error. */
  readonly outcomes: ReadonlyMap<string, Graded | Ungraded>;
}

type Kind = "incomplete" | "empty_patch" | "resolved" | "unresolved" | "error";

/** The run's report in the official schema, version 2; `infra` fields since v5. */
export type RunReport = Readonly<
  Record<`${"total" | "submitted" | "completed" | Exclude<Kind, "incomplete">}_instances`, number> &
    Record<`${"submitted" | "completed" | Kind}_ids`, readonly string[]>
> &
  Partial<InfraFields> & { readonly schema_version: 2 };

interface InfraFields {
  readonly infra_failure_instances: number;
  readonly ambiguous_failure_instances: number;
  readonly infra_failure_ids: readonly string[];
  readonly ambiguous_failure_ids: readonly string[];
  readonly failure_reasons: Readonly<Record<string, string>>;
}

/**
 * Sums up a run. Each instance is in exactly one of incomplete, empty_patch, resolved, unresolved
 * and error. Throws PmcoderError `usage` when a prediction is for an instance that is not among the
 * run's: its result would silently not count.
 */
export function runReport(run: GradedRun): RunReport {
  const predictions = new Map(run.predictions.map((made) => [made.instance_id, made]));
  const ids = [...new Set(run.instanceIds)].sort();
  const strangers = [...predictions.keys()].filter((id) => !ids.includes(id));
  if (strangers.length > 0) {
    throw new PmcoderError(
      "usage",
      `There are predictions for ${strangers.slice(0, 3).join(", ")}, which the data set or its slice does not hold; leave them out or take the data set that they are for.`,
    );
  }
  const kinds = new Map(ids.map((id) => [id, kindOf(predictions.get(id), run.outcomes.get(id))]));
  const of = (...wanted: readonly Kind[]) =>
    ids.filter((id) => wanted.some((kind) => kind === kinds.get(id)));
  const submitted = [...predictions.keys()].sort();
  const completed = of("resolved", "unresolved");
  const failed = of("unresolved", "error").map(
    (id) => [id, infraOf(run.outcomes.get(id))] as const,
  );
  return {
    total_instances: ids.length,
    submitted_instances: submitted.length,
    completed_instances: completed.length,
    resolved_instances: of("resolved").length,
    unresolved_instances: of("unresolved").length,
    empty_patch_instances: of("empty_patch").length,
    error_instances: of("error").length,
    completed_ids: completed,
    incomplete_ids: of("incomplete"),
    empty_patch_ids: of("empty_patch"),
    submitted_ids: submitted,
    resolved_ids: of("resolved"),
    unresolved_ids: of("unresolved"),
    error_ids: of("error"),
    ...(run.generation === "v4" ? {} : infraFields(failed)),
    schema_version: 2,
  };
}

function kindOf(made: Prediction | undefined, outcome: Graded | Ungraded | undefined): Kind {
  if (!made) return "incomplete";
  if (normalPatch(made.model_patch) === "") return "empty_patch";
  if (!outcome || "error" in outcome) return "error";
  // As the official harness, which writes no report of an instance that it or its parser ended.
  if (outcome.refusal === "timeout" || outcome.refusal === "parser_failed") return "error";
  return outcome.resolved ? "resolved" : "unresolved";
}

function infraOf(outcome: Graded | Ungraded | undefined): InfraFailure | null {
  if (!outcome) return null;
  return "error" in outcome ? infraFailureIn(outcome.error) : outcome.infraFailure;
}

function infraFields(failed: readonly (readonly [id: string, InfraFailure | null])[]): InfraFields {
  const of = (tier: InfraFailure["tier"]) =>
    failed.filter(([, failure]) => failure?.tier === tier).map(([id]) => id);
  const reasons = failed.flatMap(([id, failure]) => (failure ? [[id, failure.reason]] : []));
  return {
    infra_failure_instances: of("environment").length,
    ambiguous_failure_instances: of("ambiguous").length,
    infra_failure_ids: of("environment"),
    ambiguous_failure_ids: of("ambiguous"),
    failure_reasons: Object.fromEntries(reasons),
  };
}

/** The official name of a run's report. */
export function runReportName(model: string, runId: string): string {
  return `${model.replaceAll("/", "__")}.${runId}.json`;
}
