import { quote, writeBytes } from "../../agent/patch/script.ts";
import type { Environment } from "../../domain/environment.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type { PatchLadder } from "../grading/eval-plan.ts";
import { errandsIn, refuseInterrupted } from "./errands.ts";
import { layPatch } from "./lay-patch.ts";

export interface TestRunParts {
  /** With the instance's base in it, as nobody has touched it. */
  readonly environment: Environment;
  /** null: the tests are run on the base as it is. */
  readonly patch: string | null;
  readonly ladder: PatchLadder;
  readonly script: string;
  readonly timeoutSec: number;
  readonly signal: AbortSignal;
}

/** What came of one run of an instance's tests. */
export interface TestRun {
  readonly patchApplied: boolean;
  /** All that the script printed; null: it was not run, for the patch does not apply. */
  readonly log: Uint8Array | null;
  readonly timedOut: boolean;
  /** Of the script; null: it was not run. */
  readonly exitCode: number | null;
  /** What was done, for people: the official `run_instance.log`. */
  readonly account: string;
  /** Of the script. */
  readonly seconds: number;
}

/**
 * Lays the patch, runs the script, and brings its log here. What patch and tests do is a result;
 * rejects with PmcoderError `environment_lost` when the place is gone, and with `interrupted`.
 */
export async function runTests(parts: TestRunParts): Promise<TestRun> {
  const { environment, patch, script, timeoutSec, signal } = parts;
  const errands = errandsIn(environment, signal);
  const laid = patch === null ? untouched : await lay(patch, parts);
  if (!laid.applied) {
    const { account } = laid;
    return { patchApplied: false, log: null, timedOut: false, exitCode: null, account, seconds: 0 };
  }
  const before = await errands.run(diff);
  const file = `${environment.records}/eval.sh`;
  await writeBytes(environment, file, Buffer.from(script, "utf8"));
  const result = await environment.execute(`exec bash ${quote(file)}`, { timeoutSec, signal });
  refuseInterrupted(result, signal);
  const { timedOut, exitCode, seconds } = result;
  const log = await wholeLog(environment, result.output.file);
  // Also the proof that it was not the end of the place that ended the script.
  const after = await errands.run(diff);
  const account = [
    laid.account,
    `Git diff before:\n${before.text.trim()}`,
    `Git diff after: ${after.text === before.text ? "the same" : `\n${after.text.trim()}`}`,
    `Test runtime: ${seconds.toFixed(2)} seconds, exit status ${exitCode}, ${log.length} bytes`,
  ];
  return {
    patchApplied: true,
    log: timedOut ? Buffer.concat([log, Buffer.from(timeoutMark(timeoutSec))]) : log,
    timedOut,
    exitCode,
    account: account.join("\n"),
    seconds,
  };
}

const diff = "git -c core.fileMode=false diff";

const untouched = { applied: true, account: "Skipping model patch" };

async function lay(patch: string, { environment, ladder, signal }: TestRunParts) {
  const file = `${environment.records}/patch.diff`;
  await writeBytes(environment, file, Buffer.from(patch, "utf8"));
  return layPatch(errandsIn(environment, signal), file, ladder);
}

/** By this the official graders know a log whose script was ended. */
const timeoutMark = (seconds: number) =>
  `\n\nTimeout error: ${Math.ceil(seconds)} seconds exceeded.`;

/** A log that the tests themselves removed says nothing, and is no fault of the environment's. */
async function wholeLog(environment: Environment, file: string): Promise<Uint8Array> {
  try {
    return await environment.read(file);
  } catch (error) {
    if (error instanceof PmcoderError && error.code === "internal") return new Uint8Array();
    throw error;
  }
}
