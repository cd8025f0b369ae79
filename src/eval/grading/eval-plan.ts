import { PmcoderError } from "../../domain/errors.ts";
import type { DatasetRow } from "../dataset-row.ts";
import { type Generation, type ParserName, parserOf } from "./log-parsers.ts";
import { strip } from "./python-text.ts";
import { endOfTests, exitCodeMark } from "./test-output.ts";

/** How an instance is tested once the patch is in place. */
export interface EvalPlan {
  /** For bash, in the container as root; its output, both streams as one, is the log. */
  readonly script: string;
  readonly parser: ParserName;
  /** The official limit; a script that takes longer is ended, and its instance is an error. */
  readonly timeoutSeconds: number;
}

type PlannedRow = Pick<DatasetRow, "instance_id" | "repo" | "eval_script" | "log_parser">;

/**
 * The plan of a row that brings its `eval_script`, as rows of SWE-bench v5 do. Rows of v4 have none:
 * their scripts come from tables of the official package, which pmcoder does not carry. Throws
 * PmcoderError `usage` for them and for parsers that we do not have.
 */
export function evalPlan(row: PlannedRow): EvalPlan {
  if (row.eval_script === null || !/\S/.test(row.eval_script)) {
    throw new PmcoderError(
      "usage",
      `${row.instance_id} has no eval_script, so pmcoder cannot run its tests; take rows of SWE-bench v5 (SWE-bench/SWE-bench_Verified), or grade with the official harness.`,
    );
  }
  return { script: evalScript(row.eval_script), parser: parserOf(row), timeoutSeconds: 1800 };
}

const header = ["#!/bin/bash", "set -uxo pipefail"];
const exitCodeVariable = "SWEBENCH_TEST_EXIT_CODE";
/** What makes a program colour its output although nobody looks at it. */
const colourless = "unset FORCE_COLOR CLICOLOR_FORCE PY_COLORS PYTHON_COLORS";

/**
 * A row's script with the exit code of its tests in the log, after the tests' part, as v5 has it:
 * what the tests print cannot pass for it. A script without markers, or that does this itself, is
 * only made colourless.
 */
function evalScript(script: string): string {
  const lines = strip(script)
    .split("\n")
    .filter((line) => !header.includes(line));
  const at = script.includes(exitCodeMark)
    ? -1
    : lines.findIndex((line) => line.includes(endOfTests));
  const [end] = lines.slice(at, at + 1);
  const recorded =
    at < 0 || end === undefined
      ? lines
      : [
          ...lines.slice(0, at),
          `${exitCodeVariable}=$?`,
          end,
          `echo "${exitCodeMark} $${exitCodeVariable}"`,
          ...lines.slice(at + 1),
        ];
  return `${[...header, colourless, ...recorded].join("\n")}\n`;
}

/** How a patch is laid, each a command in the repository. */
export interface PatchLadder {
  /** Tried in turn until one ends with 0; the path of the patch goes after each. */
  readonly attempts: readonly string[];
  /** Before each but the first: what a failed one left is cleared away. */
  readonly cleanUp: string | null;
  /** When all fail: 0 says that the patch is in place for all that; its path goes after it. */
  readonly inPlace: string | null;
}

const v5Ladder: PatchLadder = {
  attempts: [
    "git apply --verbose",
    "git apply --verbose --3way",
    "git apply --verbose --reject",
    "patch --batch --forward --fuzz=5 -p1 -i",
  ],
  cleanUp: "git checkout -- . ; git clean -fd",
  inPlace: "git apply --check --reverse",
};

export const patchLadders: Readonly<Record<Generation, PatchLadder>> = {
  v4: {
    attempts: [
      "git apply --verbose",
      "git apply --verbose --reject",
      "patch --batch --fuzz=5 -p1 -i",
    ],
    cleanUp: null,
    inPlace: null,
  },
  v5: v5Ladder,
  strict: v5Ladder,
};
