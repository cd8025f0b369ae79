import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import { openDocker } from "../../src/environments/docker.ts";
import { checkRow, type DatasetRow } from "../../src/eval/dataset-row.ts";
import { evalPlan, patchLadders } from "../../src/eval/grading/eval-plan.ts";
import { grade } from "../../src/eval/grading/grade.ts";
import { runTests } from "../../src/eval/harness/run-tests.ts";

/**
 * Rows in the form of SWE-bench 5 for Debian's sympy in the image of the tests, made of public rows
 * for the release that is nearest to it: no image of theirs can be had here. Which tests must go on
 * passing is found out by running them on the image as it is.
 */

/** Instances of SWE-bench Verified that fail on that sympy, and pass after their gold patch. */
export const rehearsed = ["23413", "23824", "24066", "24213", "24443", "24661"].map(
  (number) => `sympy__sympy-${number}`,
);

const testFiles = (testPatch: string): readonly string[] =>
  [...testPatch.matchAll(/^diff --git a\/\S+ b\/(\S+)$/gm)].map(([, file]) => file ?? "");

/** The image's sympy is no checkout of the row's base commit, so that a hunk may be some lines off. */
function scriptFor(testPatch: string): string {
  const files = testFiles(testPatch);
  const tests = files.map((file) => JSON.stringify(file)).join(", ");
  return `#!/bin/bash
set -uxo pipefail
cd /testbed
git config --global --add safe.directory /testbed
git status --short
git checkout HEAD -- ${files.join(" ")}
cat > /tmp/test.diff <<'EOF_TEST_PATCH'
${testPatch.trimEnd()}
EOF_TEST_PATCH
git apply -v /tmp/test.diff || patch --batch --fuzz=5 -p1 -i /tmp/test.diff
: '>>>>> Start Test Output'
python3 -c 'import sys, sympy; sys.exit(not sympy.test(${tests}, verbose=True, colors=False))'
: '>>>>> End Test Output'
git checkout HEAD -- ${files.join(" ")}
`;
}

/** Makes the rows of these instances out of a file of public ones. */
export async function rehearsalRows(
  instances: readonly string[],
  data: string,
  image: string,
): Promise<readonly DatasetRow[]> {
  const lines = (await readFile(join(data, "verified.jsonl"), "utf8")).split("\n");
  const rows: DatasetRow[] = [];
  for (const instance of instances) {
    const line = lines.find((text) => text.includes(`"${instance}"`)) ?? "{}";
    const published = checkRow(JSON.parse(line), instance);
    const row: DatasetRow = {
      ...published,
      image,
      log_parser: "parse_log_sympy",
      eval_type: "pass_and_fail",
      eval_script: scriptFor(published.test_patch ?? ""),
    };
    rows.push({ ...row, PASS_TO_PASS: await passingNow(row, image) });
  }
  return rows;
}

/** Of the tests that are to go on passing, those which do pass on the image as it is. */
async function passingNow(row: DatasetRow, image: string): Promise<string[]> {
  const { environment: config } = RunConfig.parse({});
  const run = `rehearsal-${row.instance_id}`;
  const environment = await openDocker({ image, run, repository: null, config, env: process.env });
  try {
    const { script, timeoutSeconds: timeoutSec } = evalPlan(row);
    const { signal } = new AbortController();
    const ladder = patchLadders.v5;
    const made = await runTests({ environment, patch: null, ladder, script, timeoutSec, signal });
    const graded = grade(Buffer.from(made.log ?? "").toString("utf8"), row, "v5");
    return [...(graded.tests?.PASS_TO_PASS.success ?? [])];
  } finally {
    await environment.close();
  }
}
