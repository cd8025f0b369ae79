import { rmSync } from "node:fs";
import { join, relative } from "node:path";
import type { Grading } from "../batch/grader.ts";
import type { GradedRow } from "../grading/grade.ts";
import { instanceReport } from "../grading/instance-report.ts";
import type { Generation } from "../grading/log-parsers.ts";
import type { GradingRecord } from "./grading-record.ts";
import { judge } from "./judge.ts";
import { fileNames } from "./layout.ts";
import type { TestRun } from "./run-tests.ts";
import { recordIn, storedRun, type Write } from "./stored-run.ts";

export interface KeepParts {
  /** The grader and its version. */
  readonly grader: string;
  readonly generation: Generation;
  readonly write: Write;
}

/** A run of tests with what decided it. */
export interface KnownRun {
  readonly run: TestRun;
  /** null: another harness made it, and did not say. */
  readonly key: string | null;
  readonly testbed: string | null;
  /** Folder that the run was taken from; null: it was made for this one. */
  readonly from: string | null;
}

export interface Asked {
  readonly row: GradedRow;
  /** Where the run, its judgement and the record of both stand. */
  readonly folder: string;
}

/** What a run of tests was made with. */
export interface Inputs {
  readonly patch: string;
  readonly script: string;
}

/** Writes what a run of tests left, then its judgement. */
export function keepRun(
  asked: Asked,
  known: KnownRun,
  { patch, script }: Inputs,
  parts: KeepParts,
): Grading {
  const { folder } = asked;
  const { run } = known;
  for (const name of Object.values(fileNames)) rmSync(join(folder, name), { force: true });
  const put = (name: string, content: string | Uint8Array) =>
    parts.write(join(folder, name), content);
  put(fileNames.patch, patch);
  put(fileNames.script, script);
  put(fileNames.account, `${run.account}\n`);
  if (run.log !== null) put(fileNames.log, run.log);
  return keepJudgement(asked, known, parts);
}

/**
 * Judges what a folder holds of a run of tests, of ours or of the official harness, and runs none.
 * null: it holds none.
 */
export function regrade(asked: Asked, parts: KeepParts): Grading | null {
  const { folder } = asked;
  const run = storedRun(folder);
  if (run === null) return null;
  const before = recordIn(folder);
  const { key = null, testbed = null, reused = null } = before ?? {};
  const from = reused === null ? null : join(folder, reused);
  return keepJudgement(asked, { run, key, testbed, from }, parts);
}

/** The record comes last: a folder without one was not graded. */
function keepJudgement(
  { row, folder }: Asked,
  { run, key, testbed, from }: KnownRun,
  parts: KeepParts,
): Grading {
  const { grader, generation, write } = parts;
  const log = run.log === null ? null : Buffer.from(run.log).toString("utf8");
  const { resolved, remark, grade } = judge(
    { patchApplied: run.patchApplied, log },
    row,
    generation,
  );
  const report = join(folder, fileNames.report);
  const record = join(folder, fileNames.record);
  rmSync(record, { force: true });
  if (grade === null) rmSync(report, { force: true });
  else write(report, json(instanceReport(grade)));
  const kept: GradingRecord = {
    instance_id: row.instance_id,
    grader,
    generation,
    key,
    testbed,
    patch_applied: run.patchApplied,
    timed_out: run.timedOut,
    exit_code: run.exitCode,
    seconds: run.seconds,
    reused: from === null ? null : relative(folder, from),
    resolved,
    is_error: grade === null,
    infra_failure: grade?.infraFailure ?? null,
    remark,
  };
  write(record, json(kept));
  return { resolved, remark, grader, generation };
}

const json = (value: unknown) => `${JSON.stringify(value, null, 4)}\n`;
