import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { regrade } from "../../../src/eval/harness/keep-grading.ts";
import { adoptOfficial, officialRows } from "../../../src/eval/harness/official.ts";
import { writeWhole } from "../../../src/store/files.ts";
import { scratch, smallRow } from "./small-instance.ts";

const start = ">>>>> Start Test Output";
const end = ">>>>> End Test Output";
const passes = `${start}\nPASSED test_answer.py::test_right\nPASSED test_answer.py::test_there\n${end}\n`;
const late = `${passes}\n\nTimeout error: 60 seconds exceeded.`;
const report = (resolved: boolean, more: object = {}) =>
  JSON.stringify({
    "small__answer-1": { patch_successfully_applied: true, resolved, ...more },
  });
const unlaid = "2026-11-30 - INFO - >>>>> Patch Apply Failed:\nerror: patch failed\n";

type Files = Readonly<Record<string, string>>;

function folderOf(files: Files): string {
  const folder = scratch();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const noReport = "its parser ends on the log";
const ended = "the tests took too long and were ended";

describe("what the official harness leaves", () => {
  it.each<[string, Files, object | null]>([
    [
      "a report",
      { "report.json": report(true), "test_output.txt": passes },
      { resolved: true, is_error: false, patch_applied: true, remark: null },
    ],
    [
      "a report that did not count the log",
      { "report.json": report(false, { patch_successfully_applied: false }) },
      { resolved: false, is_error: false, remark: "swebench did not count the log" },
    ],
    [
      "a report that blames the environment",
      {
        "report.json": report(false, {
          infra_failure: true,
          infra_failure_reason: "out_of_memory",
        }),
      },
      { infra_failure: { reason: "out_of_memory", tier: "environment" } },
    ],
    [
      "the account of a patch that does not apply",
      { "run_instance.log": unlaid },
      { resolved: false, is_error: true, patch_applied: false, remark: "the patch does not apply" },
    ],
    [
      "the log of a script that was ended",
      { "run_instance.log": "started", "test_output.txt": late },
      { resolved: false, is_error: true, timed_out: true, remark: ended },
    ],
    [
      "a log alone",
      { "run_instance.log": "started", "test_output.txt": passes },
      { resolved: false, is_error: true, timed_out: false, remark: noReport },
    ],
    ["an account that breaks off", { "run_instance.log": "started" }, null],
    ["half a report and nothing else", { "report.json": '{"small__ans' }, null],
  ])("%s is recorded as such", (_, files, expected) => {
    const folder = folderOf(files);
    const parts = { grader: "swebench 5.0.2", generation: "v5", write: writeWhole } as const;
    const grading = adoptOfficial("small__answer-1", folder, parts);
    if (expected === null) {
      expect(grading).toBeNull();
      return;
    }
    const record = JSON.parse(readFileSync(join(folder, "grading.json"), "utf8"));
    expect(record).toMatchObject({ grader: "swebench 5.0.2", key: null, ...expected });
    expect(grading).toMatchObject({ resolved: record.resolved, remark: record.remark });
  });

  it.each<[string, Files, object | null]>([
    ["a log", { "test_output.txt": passes }, { resolved: true, remark: null }],
    ["a log that was ended", { "test_output.txt": late }, { resolved: false, remark: ended }],
    [
      "a patch that does not apply",
      { "run_instance.log": unlaid },
      { resolved: false, remark: "the patch does not apply" },
    ],
    ["no log", { "run_instance.log": "started" }, null],
  ])("is judged anew from %s", (_, files, expected) => {
    const asked = { row: smallRow(), folder: folderOf(files) };
    const parts = { grader: "pmcoder", generation: "v4", write: writeWhole } as const;
    const grading = regrade(asked, parts);
    if (expected === null) expect(grading).toBeNull();
    else expect(grading).toMatchObject(expected);
  });
});

describe("a dataset for the official harness", () => {
  it("has no fields that a row lacks", () => {
    const [line = ""] = officialRows([smallRow({ image: "a:1" })]).split("\n");
    expect(Object.keys(JSON.parse(line)).sort()).toEqual([
      "FAIL_TO_PASS",
      "PASS_TO_PASS",
      "base_commit",
      "eval_script",
      "eval_type",
      "image",
      "instance_id",
      "log_parser",
      "patch",
      "problem_statement",
      "repo",
    ]);
  });
});
