import { PmcoderError } from "../../domain/errors.ts";
import type { Grader, Grading, Submission } from "../batch/grader.ts";
import type { DatasetRow } from "../dataset-row.ts";
import { evalPlan, patchLadders } from "../grading/eval-plan.ts";
import { normalPatch } from "../grading/predictions.ts";
import { type KeepParts, type KnownRun, keepRun } from "./keep-grading.ts";
import { queueByKey } from "./queue-by-key.ts";
import { runTests, type TestRun } from "./run-tests.ts";
import type { TestRunIndex } from "./stored-run.ts";
import { testRunKey } from "./test-run-key.ts";
import type { TestbedOf } from "./testbed.ts";

export interface HarnessParts extends KeepParts {
  /** Of one eval script. */
  readonly timeoutSec: number;
  readonly testbedOf: TestbedOf;
  /** Runs of tests that may stand for equal ones; null: tests are run for each submission. */
  readonly index: TestRunIndex | null;
}

/** A submission, or with `patch` null the untouched base. */
type Examined = Pick<Submission, "row" | "repository" | "folder"> & {
  readonly patch: string | null;
};

export type Examine = (examined: Examined, signal: AbortSignal) => Promise<Grading>;

/**
 * Runs the tests of each submission where its row says, and grades the log. What it leaves in the
 * submission's folder has the official names. An empty patch is run nowhere.
 */
export function harnessGrader(parts: HarnessParts): Grader {
  const examine = examiner(parts);
  return {
    version: `${parts.grader}, rules of ${parts.generation}`,
    grade: async (submission, signal) =>
      normalPatch(submission.patch) === ""
        ? { resolved: false, remark: "the patch is empty" }
        : examine(submission, signal),
  };
}

/** The same for the base as it is, too. Those that could share a run of tests come one by one. */
export function examiner(parts: HarnessParts): Examine {
  const { generation, index, testbedOf } = parts;
  const inTurn = queueByKey();
  return async (examined, signal) => {
    const { row, repository, folder, patch } = examined;
    const { script } = evalPlan(row);
    const testbed = await testbedOf(row, repository).name(signal);
    const key = testRunKey({ testbed, patch, script, generation });
    return inTurn(key, async () => {
      const found = index?.find(key) ?? null;
      const run = found?.run ?? (await testsOf(examined, script, parts, signal));
      const from = found === null || found.folder === folder ? null : found.folder;
      const known: KnownRun = { run, key, testbed, from };
      const grading = keepRun(examined, known, { patch: patch ?? "", script }, parts);
      if (found === null) index?.add(key, folder, run);
      return grading;
    });
  };
}

/** The script that a row's tests are run by; null: it has none that we can run. */
export function scriptOf(row: DatasetRow): string | null {
  try {
    return evalPlan(row).script;
  } catch (error) {
    if (error instanceof PmcoderError) return null;
    throw error;
  }
}

async function testsOf(
  { row, repository, patch }: Examined,
  script: string,
  { generation, timeoutSec, testbedOf }: HarnessParts,
  signal: AbortSignal,
): Promise<TestRun> {
  const environment = await testbedOf(row, repository).open(signal);
  try {
    const ladder = patchLadders[generation];
    return await runTests({ environment, patch, ladder, script, timeoutSec, signal });
  } finally {
    await environment.close();
  }
}
