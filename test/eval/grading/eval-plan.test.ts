import { describe, expect, it } from "vitest";
import { evalPlan, patchLadders } from "../../../src/eval/grading/eval-plan.ts";
import { hasOfficial, official } from "./official.ts";

const script = [
  "#!/bin/bash",
  "set -uxo pipefail",
  "cd /testbed",
  "git apply -v - <<'EOF'",
  "+x",
  "EOF",
  ": '>>>>> Start Test Output'",
  "pytest -rA tests/test_wick.py",
  ": '>>>>> End Test Output'",
  "git checkout 1f0c2aa tests/test_wick.py",
  "",
].join("\n");
const row = {
  instance_id: "lamp__lamp-1",
  repo: "lamp/lamp",
  eval_script: script,
  log_parser: "parse_log_pytest",
};

describe("evalPlan", () => {
  it("takes down the exit code of the tests behind their part of the log", () => {
    const plan = evalPlan(row);
    expect(plan).toMatchObject({ parser: "pytest", timeoutSeconds: 1800 });
    expect(plan.script).toMatchInlineSnapshot(`
      "#!/bin/bash
      set -uxo pipefail
      unset FORCE_COLOR CLICOLOR_FORCE PY_COLORS PYTHON_COLORS
      cd /testbed
      git apply -v - <<'EOF'
      +x
      EOF
      : '>>>>> Start Test Output'
      pytest -rA tests/test_wick.py
      SWEBENCH_TEST_EXIT_CODE=$?
      : '>>>>> End Test Output'
      echo ">>>>> Test Exit Code: $SWEBENCH_TEST_EXIT_CODE"
      git checkout 1f0c2aa tests/test_wick.py
      "
    `);
  });

  it.each([
    ["does so itself", `${script}echo ">>>>> Test Exit Code: $?"\n`],
    ["has no markers", "pytest -rA\n"],
  ])("adds no exit code to a script that %s", (_, eval_script) => {
    const lines = evalPlan({ ...row, eval_script }).script.split("\n");
    const kept = eval_script.split("\n").filter((line) => !/^#!|^set -uxo/.test(line));
    expect(lines.slice(3)).toEqual(kept);
  });

  it.each([null, " \n"])("refuses a row of v4, whose script is %j", (eval_script) => {
    expect(() => evalPlan({ ...row, eval_script })).toThrow(
      "lamp__lamp-1 has no eval_script, so pmcoder cannot run its tests",
    );
  });

  it("lays patches as each generation does", () => {
    expect(patchLadders).toMatchInlineSnapshot(`
      {
        "strict": {
          "attempts": [
            "git apply --verbose",
            "git apply --verbose --3way",
            "git apply --verbose --reject",
            "patch --batch --forward --fuzz=5 -p1 -i",
          ],
          "cleanUp": "git checkout -- . ; git clean -fd",
          "inPlace": "git apply --check --reverse",
        },
        "v4": {
          "attempts": [
            "git apply --verbose",
            "git apply --verbose --reject",
            "patch --batch --fuzz=5 -p1 -i",
          ],
          "cleanUp": null,
          "inPlace": null,
        },
        "v5": {
          "attempts": [
            "git apply --verbose",
            "git apply --verbose --3way",
            "git apply --verbose --reject",
            "patch --batch --forward --fuzz=5 -p1 -i",
          ],
          "cleanUp": "git checkout -- . ; git clean -fd",
          "inPlace": "git apply --check --reverse",
        },
      }
    `);
  });

  it.runIf(hasOfficial)(
    "equals the official script but for the colours",
    () => {
      const official5 = official("v5", {
        rows: [
          {
            ...row,
            image: "lamp",
            version: "1",
            eval_type: "pass_and_fail",
            FAIL_TO_PASS: "[]",
            PASS_TO_PASS: "[]",
          },
        ],
      });
      const ours = evalPlan(row)
        .script.split("\n")
        .filter((line) => !line.startsWith("unset "));
      expect(ours.join("\n")).toBe(official5.scripts[0]);
    },
    60_000,
  );
});
