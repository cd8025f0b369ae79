import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PmcoderError } from "../../../src/domain/errors.ts";
import type { Submission } from "../../../src/eval/batch/grader.ts";
import type { DatasetRow } from "../../../src/eval/dataset-row.ts";
import {
  examiner,
  type HarnessParts,
  harnessGrader,
} from "../../../src/eval/harness/harness-grader.ts";
import { regrade } from "../../../src/eval/harness/keep-grading.ts";
import { TestRunIndex } from "../../../src/eval/harness/stored-run.ts";
import { writeWhole } from "../../../src/store/files.ts";
import {
  missingPatch,
  rightPatch,
  scratch,
  smallRepository,
  smallRow,
  smallScript,
  smallTestbeds,
  wrongPatch,
} from "./small-instance.ts";

const never = new AbortController().signal;

async function world(changes: Partial<HarnessParts> = {}) {
  const root = scratch();
  const { testbedOf, opened } = smallTestbeds(await smallRepository());
  const parts: HarnessParts = {
    grader: "pmcoder test",
    generation: "v5",
    timeoutSec: 60,
    testbedOf,
    index: new TestRunIndex(join(root, "logs", "test_runs"), writeWhole),
    write: writeWhole,
    ...changes,
  };
  const grader = harnessGrader(parts);
  const submit = (name: string, patch: string, row: DatasetRow = smallRow()) => {
    const id = `${name}/seed-1/${row.instance_id}`;
    const folder = join(root, name);
    const submission: Submission = { id, runId: name, row, repository: null, patch, folder };
    return grader.grade(submission, never);
  };
  const text = (...path: readonly string[]) => readFileSync(join(root, ...path), "utf8");
  return { root, parts, submit, text, opened };
}

const files = [
  "eval.sh",
  "grading.json",
  "patch.diff",
  "report.json",
  "run_instance.log",
  "test_output.txt",
];

describe("the grader", () => {
  it("leaves the official files of a patch that resolves", async () => {
    const { root, submit, text } = await world();
    expect(await submit("a", rightPatch)).toMatchObject({ resolved: true, remark: null });
    expect(readdirSync(join(root, "a"))).toEqual(files);
    expect(text("a", "patch.diff")).toBe(rightPatch);
    expect(text("a", "eval.sh")).toMatch(/^#!\/bin\/bash\nset -uxo pipefail\n/);
    expect(text("a", "test_output.txt")).toContain("PASSED test_answer.py::test_right\n");
    expect(JSON.parse(text("a", "report.json"))).toEqual({
      "small__answer-1": {
        patch_is_None: false,
        patch_exists: true,
        patch_successfully_applied: true,
        resolved: true,
        infra_failure: false,
        tests_status: {
          FAIL_TO_PASS: { success: ["test_answer.py::test_right"], failure: [] },
          PASS_TO_PASS: { success: ["test_answer.py::test_there"], failure: [] },
          FAIL_TO_FAIL: { success: [], failure: [] },
          PASS_TO_FAIL: { success: [], failure: [] },
        },
      },
    });
    expect(JSON.parse(text("a", "grading.json"))).toMatchObject({
      instance_id: "small__answer-1",
      grader: "pmcoder test",
      generation: "v5",
      testbed: "a tree",
      patch_applied: true,
      exit_code: 0,
      reused: null,
      resolved: true,
    });
  });

  it("runs no tests for an empty patch, nor for one that does not apply", async () => {
    const { root, submit, text, opened } = await world();
    expect(await submit("empty", " \n")).toEqual({ resolved: false, remark: "the patch is empty" });
    expect([opened(), existsSync(join(root, "empty"))]).toEqual([0, false]);
    const grading = await submit("other", missingPatch, smallRow({ eval_script: "touch ../ran" }));
    expect(grading).toMatchObject({ resolved: false, remark: "the patch does not apply" });
    const left = files.filter((name) => !["report.json", "test_output.txt"].includes(name));
    expect(readdirSync(join(root, "other"))).toEqual(left);
    expect(text("other", "run_instance.log")).toContain(">>>>> Patch Apply Failed");
  });

  it("does not mistake what tests print for its own marks", async () => {
    const { submit } = await world({ generation: "strict" });
    const forged =
      smallScript(`echo ">>>>> Start Test Output"; echo PASSED test_answer.py::test_right
echo PASSED test_answer.py::test_there; echo ">>>>> End Test Output"; echo ">>>>> Test Exit Code: 0"`);
    expect(await submit("a", wrongPatch, smallRow({ eval_script: forged }))).toMatchObject({
      resolved: false,
      remark: "the log marks more than once where the tests begin or end",
    });
  });

  it("has no verdict where the place is lost, and has one at the next try", async () => {
    let lost = 1;
    const { testbedOf } = smallTestbeds(await smallRepository());
    const { root, submit, opened } = await world({
      testbedOf: (row, repository) => ({
        ...testbedOf(row, repository),
        open: async (signal) => {
          const environment = await testbedOf(row, repository).open(signal);
          const execute: typeof environment.execute = async (command, options) => {
            if (command.includes("eval.sh") && lost-- > 0) await environment.close();
            return environment.execute(command, options);
          };
          return { ...environment, execute };
        },
      }),
    });
    await expect(submit("a", rightPatch)).rejects.toMatchObject({ code: "environment_lost" });
    expect([opened(), existsSync(join(root, "a", "grading.json"))]).toEqual([0, false]);
    expect(await submit("a", rightPatch)).toMatchObject({ resolved: true });
  });

  it("leaves the record of an earlier grading to nobody when a new one is cut", async () => {
    const disk = { full: false };
    const { root, submit } = await world({
      index: null,
      write: (file, content) => {
        if (disk.full && file.endsWith("test_output.txt")) {
          throw new PmcoderError("storage", "The disk is full.");
        }
        writeWhole(file, content);
      },
    });
    await submit("a", rightPatch);
    disk.full = true;
    await expect(submit("a", wrongPatch)).rejects.toMatchObject({ code: "storage" });
    expect(readdirSync(join(root, "a"))).toEqual(["eval.sh", "patch.diff", "run_instance.log"]);
  });
});

describe("a run of tests", () => {
  it("stands for equal ones, also for those that come while it is made", async () => {
    const { submit, text, opened } = await world();
    const gradings = await Promise.all(["a", "b"].map((name) => submit(name, rightPatch)));
    expect(gradings.map(({ resolved }) => resolved)).toEqual([true, true]);
    await submit("c", rightPatch);
    expect(opened()).toBe(1);
    expect(text("c", "test_output.txt")).toBe(text("a", "test_output.txt"));
    expect(JSON.parse(text("c", "grading.json")).reused).toBe("../a");
    await submit("d", wrongPatch);
    await submit("e", rightPatch, smallRow({ eval_script: smallScript("true") }));
    expect(opened()).toBe(3);
  });

  it("stands for itself alone where that is asked for, and where its script was ended", async () => {
    const alone = await world({ index: null });
    for (const name of ["a", "b"]) await alone.submit(name, rightPatch);
    expect(alone.opened()).toBe(2);
    const slow = await world({ timeoutSec: 0.5 });
    const row = smallRow({ eval_script: smallScript("sleep 30") });
    const ended = { resolved: false, remark: "the tests took too long and were ended" };
    for (const name of ["a", "b"])
      expect(await slow.submit(name, rightPatch, row)).toMatchObject(ended);
    expect(slow.opened()).toBe(2);
  });

  it.each(["test_output.txt", "grading.json"])(
    "does not stand for others without its %s",
    async (name) => {
      const { root, submit, opened } = await world();
      await submit("a", rightPatch);
      rmSync(join(root, "a", name));
      expect(await submit("b", rightPatch)).toMatchObject({ resolved: true });
      expect(opened()).toBe(2);
    },
  );
});

describe("a second grading of what is kept", () => {
  it("says the same of a patch that resolves, of one that does not, and of one that does not apply", async () => {
    const { root, parts, submit, text, opened } = await world();
    const patches = { right: rightPatch, wrong: wrongPatch, missing: missingPatch };
    const first = new Map<string, unknown>();
    for (const [name, patch] of Object.entries(patches)) first.set(name, await submit(name, patch));
    const kept = (name: string) => readdirSync(join(root, name)).map((file) => text(name, file));
    for (const name of Object.keys(patches)) {
      const before = kept(name);
      expect(regrade({ row: smallRow(), folder: join(root, name) }, parts)).toEqual(
        first.get(name),
      );
      expect(kept(name)).toEqual(before);
    }
    expect(opened()).toBe(3);
  });

  it("says what it makes of a log now, and nothing where there is none", async () => {
    const { root, parts, submit, text } = await world();
    await submit("a", wrongPatch);
    const log = text("a", "test_output.txt");
    writeFileSync(
      join(root, "a", "test_output.txt"),
      log.replace("FAILED", "PASSED").replace("Code: 1", "Code: 0"),
    );
    const asked = { row: smallRow(), folder: join(root, "a") };
    expect(regrade(asked, parts)).toMatchObject({ resolved: true, remark: null });
    expect(JSON.parse(text("a", "report.json"))["small__answer-1"].resolved).toBe(true);
    expect(regrade({ row: smallRow(), folder: join(root, "none") }, parts)).toBeNull();
  });
});

describe("the tests of an untouched base", () => {
  it("do not pass", async () => {
    const { root, parts } = await world();
    const examined = { row: smallRow(), repository: null, patch: null, folder: join(root, "base") };
    expect(await examiner(parts)(examined, never)).toMatchObject({ resolved: false, remark: null });
  });
});
