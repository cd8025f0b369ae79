import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { strictSympy } from "../../../src/eval/grading/strict-sympy.ts";

describe("sympy's logs by strict rules", () => {
  it("reads a whole log: the last test of a file, broken lines, one name in two files", () => {
    const parsed = strictSympy(readFileSync("test/fixtures/eval-logs/sympy.log", "utf8"));
    expect(
      [...(parsed?.statuses ?? [])].map(([name, status]) => `${status} ${name}`),
    ).toMatchInlineSnapshot(`
      [
        "PASSED oil/tests/test_flow.py:test_solve",
        "FAILED oil/tests/test_flow.py:test_melt",
        "SKIPPED oil/tests/test_flow.py:test_flow",
        "XFAIL oil/tests/test_flow.py:test_limit",
        "PASSED oil/tests/test_flow.py:test_warns",
        "PASSED oil/tests/test_flow.py:test_last",
        "PASSED oil/tests/test_wax.py:test_melt",
        "PASSED oil/tests/test_wax.py:test_end",
      ]
    `);
    expect([...(parsed?.aliases.get("test_melt") ?? [])]).toEqual([
      "oil/tests/test_flow.py:test_melt",
      "oil/tests/test_wax.py:test_melt",
    ]);
  });

  it.each<{ what: string; lines: readonly string[]; expected: Readonly<Record<string, string>> }>([
    {
      what: "a file that cannot be imported",
      lines: ["a/test_z.py[?]   Failed to import        [FAIL]"],
      expected: { "a/test_z.py": "ERROR" },
    },
    {
      what: "a long name between two lines",
      lines: ["_ a/test_z.py:test_with_a_long_name _", "_ not a test _", "___"],
      expected: { "a/test_z.py:test_with_a_long_name": "FAILED" },
    },
    {
      what: "letters of all kinds, a time limit among them",
      lines: ["test_a T", "test_b numpy not installed. s", "test_c X", "test_d Slow w", "test_e K"],
      expected: { test_a: "ERROR", test_b: "SKIPPED", test_d: "SKIPPED", test_e: "SKIPPED" },
    },
    {
      what: "what a test prints is no result until it is a line",
      lines: ["test_a is all", "it is ok", "constructor", "F", "test_b"],
      expected: { test_a: "FAILED" },
    },
  ])("$what", ({ lines, expected }) => {
    expect(Object.fromEntries(strictSympy(lines.join("\n"))?.statuses ?? [])).toEqual(expected);
  });
});
