import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grade } from "../../../src/eval/grading/grade.ts";
import type { Generation } from "../../../src/eval/grading/log-parsers.ts";
import { anyLog, anyRow, marked, rowFor } from "./log-lines.ts";

const generations: readonly Generation[] = ["v4", "v5", "strict"];

describe("grade", () => {
  it("says which tests passed, failed and are missing", () => {
    const row = rowFor("pytest", ["t.py::f", "t.py::gone"], ["t.py::k"]);
    const log = marked("PASSED t.py::f\nFAILED t.py::k - no", "1");
    expect(grade(log, row, "strict")).toEqual({
      instanceId: "lamp__lamp-1",
      generation: "strict",
      resolved: false,
      resolution: "RESOLVED_NO",
      refusal: null,
      statuses: new Map([
        ["t.py::f", "PASSED"],
        ["t.py::k", "FAILED"],
      ]),
      tests: {
        FAIL_TO_PASS: { success: ["t.py::f"], failure: ["t.py::gone"], missing: ["t.py::gone"] },
        PASS_TO_PASS: { success: [], failure: ["t.py::k"], missing: [] },
      },
      infraFailure: null,
    });
  });

  it("counts silence as success where a row's parser takes down failures only", () => {
    const row = { ...rowFor("pytest", ["t.py::f"], ["t.py::k"]), eval_type: "fail_only" };
    const resolved = (tests: string, generation: Generation) =>
      grade(marked(tests), row, generation).resolved;
    expect(resolved("  3 passing", "v5")).toBe(true);
    expect(resolved("FAILED t.py::k", "v5")).toBe(false);
    expect(resolved("nothing ran", "v5")).toBe(false);
    expect(resolved("PASSED t.py::x", "v4")).toBe(false);
  });

  it("refuses rows that it cannot judge", () => {
    const row = rowFor("pytest", ["t.py::f"], []);
    expect(() => grade("", { ...row, PASS_TO_PASS: null }, "v5")).toThrow(/no PASS_TO_PASS/);
    expect(() => grade("", { ...row, log_parser: "parse_log_jest" }, "v5")).toThrow(
      /needs the log parser parse_log_jest, which pmcoder cannot read; it reads astroid, /,
    );
    expect(() => grade("", { ...row, log_parser: null, repo: "a/b" }, "v5")).toThrow(
      /needs the repository a\/b/,
    );
  });

  it.each(generations)("takes any text for a log, and its words are few: %s", (generation) => {
    const words = ["PASSED", "FAILED", "SKIPPED", "ERROR", "XFAIL"];
    const closed = new Set(generation === "strict" ? words : [...words, "UNKNOWN"]);
    fc.assert(
      fc.property(anyLog, anyRow, (log, row) => {
        const given = grade(log, row, generation);
        expect([...given.statuses.values()].filter((status) => !closed.has(status))).toEqual([]);
        expect(given.resolved).toBe(given.resolution === "RESOLVED_FULL");
        expect(given.tests === null).toBe(given.refusal !== null);
        if (given.refusal) expect([given.resolved, given.statuses.size]).toEqual([false, 0]);
      }),
      { numRuns: 400 },
    );
  });

  it.each(generations)("says one thing of an expected test: %s", (generation) => {
    const tests = fc.constantFrom("PASSED t.py::f", "FAILED t.py::f[a b]", "PASSEDx t.py::f");
    fc.assert(
      fc.property(fc.array(tests, { minLength: 1 }), anyRow, (lines, row) => {
        const given = grade(marked(lines.join("\n")), row, generation);
        for (const list of ["FAIL_TO_PASS", "PASS_TO_PASS"] as const) {
          const { success = [], failure = [] } = given.tests?.[list] ?? {};
          const told = [...success, ...failure];
          expect(new Set(told).size).toBe(told.length);
          expect(row[list]).toEqual(expect.arrayContaining(told));
          // Only the official rules leave a test uncounted.
          const all = generation === "strict" && given.tests;
          expect(told).toHaveLength(all ? (row[list]?.length ?? 0) : told.length);
        }
      }),
    );
  });

  it.each(["v5", "strict"] as const)(
    "never resolves what exits with 1 unless a test failed: %s",
    (generation) => {
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom("PASSED t.py::f", "PASSED t.py::k", "SKIPPED t.py::x", ""), {
            minLength: 1,
          }),
          (lines) => {
            const row = rowFor("pytest", ["t.py::f"], ["t.py::k"]);
            expect(grade(marked(lines.join("\n"), "1"), row, generation).resolved).toBe(false);
          },
        ),
      );
    },
  );

  // Each would take minutes under a rule whose cost grows with the square of a line.
  it.each([
    ["digits", "1".repeat(300_000)],
    ["underscores", `${"_".repeat(100_000)} ${"a.py:".repeat(60_000)}`],
    ["brackets", `FAILED a::b[${"] - ".repeat(60_000)}`],
    ["escapes", "\u001b[;".repeat(100_000)],
    [
      "interruptions",
      "x ... Testing against Django installed in \n silenced).\nokx\n".repeat(5000),
    ],
    ["one line of errors", " ... Internal Server Error: /".repeat(10_000)],
    ["exit codes", `>>>>> Test Exit Code:${" ".repeat(100)}`.repeat(2000)],
    ["nothing", "\0".repeat(300_000)],
  ])(
    "reads hostile logs in one go: %s",
    (_, text) => {
      for (const generation of generations) {
        for (const parser of ["pytest", "pytest_v2", "django", "seaborn", "sympy"] as const) {
          const given = grade(marked(text), rowFor(parser, ["a::b["], []), generation);
          expect(given.resolved).toBe(false);
        }
      }
    },
    60_000,
  );
});
