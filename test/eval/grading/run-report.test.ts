import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Grade, grade } from "../../../src/eval/grading/grade.ts";
import { instanceReport } from "../../../src/eval/grading/instance-report.ts";
import { normalPatch, type Prediction } from "../../../src/eval/grading/predictions.ts";
import {
  type GradedRun,
  runReport,
  runReportName,
  type Ungraded,
} from "../../../src/eval/grading/run-report.ts";
import { marked, rowFor } from "./log-lines.ts";
import { hasOfficial, type OfficialGeneration, official } from "./official.ts";

const predicted = (instance_id: string, patch: string | null): Prediction => ({
  instance_id,
  model_name_or_path: "model",
  model_patch: normalPatch(patch),
});

function graded(id: string, log: string, generation: Grade["generation"]): Grade {
  return grade(log, { ...rowFor("pytest", ["t.py::f"]), instance_id: id }, generation);
}

const logs: Readonly<Record<string, string>> = {
  good: marked("PASSED t.py::f"),
  bad: marked("FAILED t.py::f - ModuleNotFoundError", "1"),
  forged: marked("PASSED t.py::f", "1"),
  killed: "Killed\n",
  slow: "+ pytest\n\nTimeout error: 1800 seconds exceeded.",
};

/** One of each kind: graded, refused, ended, not run at all, empty, not predicted. */
function someRun(generation: Grade["generation"]): GradedRun {
  const ids = [...Object.keys(logs), "lost", "empty", "nothing"];
  return {
    generation,
    instanceIds: ids,
    predictions: ids
      .filter((id) => id !== "nothing")
      .map((id) => predicted(id, id === "empty" ? "\n" : "diff")),
    outcomes: new Map<string, Grade | Ungraded>([
      ...Object.entries(logs).map(([id, log]) => [id, graded(id, log, generation)] as const),
      ["lost", { error: "Cannot connect to the Docker daemon" }],
    ]),
  };
}

describe("the report of a run", () => {
  it("counts blank, absent and missing patches apart", () => {
    const report = runReport({
      generation: "v5",
      instanceIds: ["A", "B", "C", "D", "E"],
      predictions: [
        predicted("A", "diff"),
        predicted("B", ""),
        predicted("C", null),
        predicted("D", "\n"),
      ],
      outcomes: new Map([["A", graded("A", logs["good"] ?? "", "v5")]]),
    });
    expect(report).toMatchObject({
      total_instances: 5,
      submitted_instances: 4,
      completed_instances: 1,
      resolved_instances: 1,
      empty_patch_ids: ["B", "C", "D"],
      error_ids: [],
      incomplete_ids: ["E"],
    });
  });

  it("tells what is wrong beside what is not resolved", () => {
    expect(runReport(someRun("strict"))).toMatchInlineSnapshot(`
      {
        "ambiguous_failure_ids": [
          "bad",
          "slow",
        ],
        "ambiguous_failure_instances": 2,
        "completed_ids": [
          "bad",
          "forged",
          "good",
          "killed",
        ],
        "completed_instances": 4,
        "empty_patch_ids": [
          "empty",
        ],
        "empty_patch_instances": 1,
        "error_ids": [
          "lost",
          "slow",
        ],
        "error_instances": 2,
        "failure_reasons": {
          "bad": "missing_module",
          "killed": "out_of_memory",
          "lost": "container_unavailable",
          "slow": "tests_timed_out",
        },
        "incomplete_ids": [
          "nothing",
        ],
        "infra_failure_ids": [
          "killed",
          "lost",
        ],
        "infra_failure_instances": 2,
        "resolved_ids": [
          "good",
        ],
        "resolved_instances": 1,
        "schema_version": 2,
        "submitted_ids": [
          "bad",
          "empty",
          "forged",
          "good",
          "killed",
          "lost",
          "slow",
        ],
        "submitted_instances": 7,
        "total_instances": 8,
        "unresolved_ids": [
          "bad",
          "forged",
          "killed",
        ],
        "unresolved_instances": 3,
      }
    `);
  });

  it("refuses predictions for other instances", () => {
    const run = { ...someRun("v4"), instanceIds: ["good", "bad"] };
    expect(() => runReport(run)).toThrow(
      "There are predictions for forged, killed, slow, which the data set or its slice does not hold",
    );
  });

  it("puts each instance into one list", () => {
    const outcome = fc.constantFrom<Grade | Ungraded | null>(
      ...Object.entries(logs).map(([id, log]) => graded(id, log, "strict")),
      { error: "no space left" },
      null,
    );
    const patch = fc.constantFrom("diff", "", " \n", null);
    const instance = fc.tuple(fc.boolean(), patch, outcome);
    fc.assert(
      fc.property(fc.array(instance, { maxLength: 12 }), (instances) => {
        const report = runReport({
          generation: "strict",
          instanceIds: instances.map((_, n) => `i${n}`),
          predictions: instances.flatMap(([made, text], n) =>
            made ? [predicted(`i${n}`, text)] : [],
          ),
          outcomes: new Map(
            instances.flatMap(([, , given], n) => (given ? [[`i${n}`, given]] : [])),
          ),
        });
        const { resolved_ids, unresolved_ids, empty_patch_ids, error_ids, incomplete_ids } = report;
        const all = [
          resolved_ids,
          unresolved_ids,
          empty_patch_ids,
          error_ids,
          incomplete_ids,
        ].flat();
        expect(all.sort()).toEqual(instances.map((_, n) => `i${n}`).sort());
        expect(report.total_instances).toBe(instances.length);
        expect(report.submitted_ids).toHaveLength(report.submitted_instances);
        expect(report.completed_ids).toEqual([...resolved_ids, ...unresolved_ids].sort());
      }),
    );
  });

  it("has the official name", () => {
    expect(runReportName("org/lamp", "arm-s1")).toBe("org__lamp.arm-s1.json");
  });

  it.runIf(hasOfficial).each<OfficialGeneration>(["v4", "v5"])(
    "equals the official package's: %s",
    (generation) => {
      const run = someRun(generation);
      const files = Object.entries(logs).map(([id, log]) => {
        const given = graded(id, log, generation);
        const report = JSON.stringify(instanceReport(given));
        // A script that is ended leaves a log and no report.
        return [
          id,
          given.refusal === "timeout"
            ? { "test_output.txt": log }
            : { "report.json": report, "test_output.txt": log },
        ];
      });
      const { runs } = official(generation, {
        runs: [
          {
            run_id: "r1",
            instance_ids: run.instanceIds,
            predictions: run.predictions,
            files: {
              ...Object.fromEntries(files),
              lost: { "run_instance.log": "Cannot connect to the Docker daemon" },
            },
          },
        ],
      });
      // v4 adds what its engine left behind.
      const theirs = Object.entries(runs[0]?.report ?? {}).filter(
        ([key]) => !/^un(stop|rem)/.test(key),
      );
      expect(runReport(run)).toEqual(Object.fromEntries(theirs));
      expect(runs[0]?.name).toBe(runReportName("model", "r1"));
    },
    60_000,
  );
});
