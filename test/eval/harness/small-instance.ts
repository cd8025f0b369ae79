import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { EnvironmentConfig } from "../../../src/domain/config/environment.ts";
import type { Environment } from "../../../src/domain/environment.ts";
import { openLocal } from "../../../src/environments/local.ts";
import { checkRow, type DatasetRow } from "../../../src/eval/dataset-row.ts";
import type { TestbedOf } from "../../../src/eval/harness/testbed.ts";

/** A new folder that goes when the running test ends. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pmcoder-harness-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const numbers = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`).join("");

/** The tree of the instance: `answer.txt` should say 42. */
export async function smallRepository(): Promise<string> {
  const folder = scratch();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder });
  writeFileSync(join(folder, "answer.txt"), "The answer:\n41\n");
  writeFileSync(join(folder, "lines.txt"), numbers);
  git("init", "-q", "--template=");
  git("add", "-A");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "base");
  return folder;
}

export const answerPatch = (from: string, to: string) => `diff --git a/answer.txt b/answer.txt
--- a/answer.txt
+++ b/answer.txt
@@ -1,2 +1,2 @@
 The answer:
-${from}
+${to}
`;

export const rightPatch = answerPatch("41", "42");
export const wrongPatch = answerPatch("41", "43");
export const missingPatch = answerPatch("40", "42");

/** Prints what pytest's summary would; `more` comes before the tests. */
export const smallScript = (more = "") => `#!/bin/bash
set -uxo pipefail
${more}
: '>>>>> Start Test Output'
set +x
right=FAILED; grep -q 42 answer.txt && right=PASSED
echo "$right test_answer.py::test_right"
echo "PASSED test_answer.py::test_there"
[ $right = PASSED ]
SWEBENCH_TEST_EXIT_CODE=$?
set -x
: '>>>>> End Test Output'
set +x
echo ">>>>> Test Exit Code: $SWEBENCH_TEST_EXIT_CODE"
`;

export function smallRow(fields: Partial<DatasetRow> = {}): DatasetRow {
  return checkRow(
    {
      instance_id: "small__answer-1",
      repo: "small/answer",
      base_commit: "0".repeat(40),
      problem_statement: "The answer is wrong.",
      patch: rightPatch,
      FAIL_TO_PASS: ["test_answer.py::test_right"],
      PASS_TO_PASS: ["test_answer.py::test_there"],
      eval_script: smallScript(),
      log_parser: "parse_log_pytest",
      eval_type: "pass_and_fail",
      ...fields,
    },
    "small.jsonl:1",
  );
}

/** A copy of the tree with an environment of this machine around it. */
export async function openSmall(repository: string): Promise<Environment> {
  const folder = await mkdtemp(join(tmpdir(), "pmcoder-harness-open-"));
  const copy = join(folder, "copy");
  await mkdir(copy);
  execFileSync("cp", ["-a", `${repository}/.`, copy]);
  return openLocal({
    copy,
    spool: join(folder, "outputs"),
    records: join(folder, "records"),
    config: EnvironmentConfig.parse({}),
    env: process.env,
    removeCopy: () => rm(folder, { recursive: true, force: true }),
  });
}

/** Testbeds around copies of a tree, and how often one was opened. */
export function smallTestbeds(repository: string): {
  readonly testbedOf: TestbedOf;
  readonly opened: () => number;
} {
  let opened = 0;
  return {
    testbedOf: () => ({
      name: async () => "a tree",
      open: async () => {
        opened += 1;
        return openSmall(repository);
      },
    }),
    opened: () => opened,
  };
}
