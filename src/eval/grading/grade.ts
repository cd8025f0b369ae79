import { PmcoderError } from "../../domain/errors.ts";
import type { DatasetRow } from "../dataset-row.ts";
import {
  type ExpectedList,
  type ExpectedOutcomes,
  failOnlyOutcomes,
  outcomesOf,
} from "./expected-tests.ts";
import { type InfraFailure, infraFailureIn } from "./infra-failure.ts";
import { type Generation, logParsers, parserOf } from "./log-parsers.ts";
import { universalNewlines } from "./python-text.ts";
import type { ParsedLog, Statuses } from "./status.ts";
import { type Reading, type Refusal, readStrict, readV4, readV5 } from "./test-output.ts";

export type GradedRow = Pick<
  DatasetRow,
  "instance_id" | "repo" | "FAIL_TO_PASS" | "PASS_TO_PASS" | "log_parser" | "eval_type"
>;

export type Resolution = "RESOLVED_FULL" | "RESOLVED_PARTIAL" | "RESOLVED_NO";

export interface Grade {
  readonly instanceId: string;
  readonly generation: Generation;
  readonly resolved: boolean;
  readonly resolution: Resolution;
  /** Why the log was not counted; null: it was, and so the patch was in place. */
  readonly refusal: Refusal | null;
  /** Every test that the log tells of. */
  readonly statuses: Statuses;
  /** The expected tests; null when the log was not counted. */
  readonly tests: Readonly<Record<ExpectedList, ExpectedOutcomes>> | null;
  /** A sign of a broken environment in the log of an instance that is not resolved. */
  readonly infraFailure: InfraFailure | null;
}

const readers = { v4: readV4, v5: readV5, strict: readStrict } as const;

/**
 * Grades the log of a test run under the rules of one generation. Any text is a log: what it lacks
 * is a `refusal`, never an exception. Throws PmcoderError `usage` when the row says no expected
 * tests, or names a parser that we do not have.
 */
export function grade(log: string, row: GradedRow, generation: Generation): Grade {
  const parse = logParsers[generation][parserOf(row)];
  const expected = expectedTests(row);
  const reading: Reading = readers[generation](log, parse);
  const tests = reading.refusal === null ? judge(expected, reading.parsed, row, generation) : null;
  const resolution = tests ? resolutionOf(tests, generation) : "RESOLVED_NO";
  const resolved = resolution === "RESOLVED_FULL";
  return {
    instanceId: row.instance_id,
    generation,
    resolved,
    resolution,
    refusal: reading.refusal,
    statuses: reading.refusal === null ? reading.parsed.statuses : new Map(),
    tests,
    infraFailure: resolved ? null : infraFailureIn(universalNewlines(log)),
  };
}

type Expected = Readonly<Record<ExpectedList, readonly string[]>>;

function expectedTests({ instance_id, FAIL_TO_PASS, PASS_TO_PASS }: GradedRow): Expected {
  if (FAIL_TO_PASS && PASS_TO_PASS) return { FAIL_TO_PASS, PASS_TO_PASS };
  const lacks = FAIL_TO_PASS ? "PASS_TO_PASS" : "FAIL_TO_PASS";
  throw new PmcoderError(
    "usage",
    `${instance_id} has no ${lacks}, so nothing says which tests decide; take a row that has both lists.`,
  );
}

function judge(
  { FAIL_TO_PASS, PASS_TO_PASS }: Expected,
  parsed: ParsedLog,
  { eval_type }: GradedRow,
  generation: Generation,
): Readonly<Record<ExpectedList, ExpectedOutcomes>> {
  // v4 knows such repositories by name, and of those we read none.
  const failOnly = eval_type === "fail_only" && generation !== "v4";
  const outcomes = (ids: readonly string[], list: ExpectedList) =>
    failOnly ? failOnlyOutcomes(ids, parsed) : outcomesOf(ids, list, parsed, generation);
  return {
    FAIL_TO_PASS: outcomes(FAIL_TO_PASS, "FAIL_TO_PASS"),
    PASS_TO_PASS: outcomes(PASS_TO_PASS, "PASS_TO_PASS"),
  };
}

/** An empty list is fulfilled to the official graders; to ours, an issue without a test is open. */
function resolutionOf(
  { FAIL_TO_PASS: fixed, PASS_TO_PASS: kept }: NonNullable<Grade["tests"]>,
  generation: Generation,
): Resolution {
  if (kept.failure.length > 0) return "RESOLVED_NO";
  const none = generation === "strict" && fixed.success.length === 0;
  if (fixed.failure.length === 0 && !none) return "RESOLVED_FULL";
  return fixed.success.length > 0 ? "RESOLVED_PARTIAL" : "RESOLVED_NO";
}
