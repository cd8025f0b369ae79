import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { strictDjango } from "../../../src/eval/grading/strict-django.ts";

const parse = (lines: readonly string[]) => strictDjango(lines.join("\n"));
const statuses = (lines: readonly string[]) => Object.fromEntries(parse(lines)?.statuses ?? []);

describe("Django's logs by strict rules", () => {
  it("keeps tests apart that share a docstring", () => {
    const parsed = parse([
      "test_doc (calc.tests.DocTests)",
      "Docstring of the test, first line ... ok",
      "test_doc2 (calc.tests.DocTests)",
      "Docstring of the test, first line ... FAIL",
      "test_skip (calc.tests.SkipTests) ... skipped 'needs db'",
      "test_xf (calc.tests.XfTests) ... expected failure",
    ]);
    expect(Object.fromEntries(parsed?.statuses ?? [])).toEqual({
      "test_doc (calc.tests.DocTests)": "PASSED",
      "test_doc2 (calc.tests.DocTests)": "FAILED",
      "test_skip (calc.tests.SkipTests)": "SKIPPED",
      "test_xf (calc.tests.XfTests)": "XFAIL",
    });
    expect([...(parsed?.aliases.get("Docstring of the test, first line") ?? [])]).toEqual([
      "test_doc (calc.tests.DocTests)",
      "test_doc2 (calc.tests.DocTests)",
    ]);
  });

  it.each<{ what: string; lines: readonly string[]; expected: Readonly<Record<string, string>> }>([
    {
      what: "output may come before a result, and begin as one",
      lines: ["test_a (m.C) ... okay, it begins", "skipped two lines", "FAILED it is not", "ok"],
      expected: { "test_a (m.C)": "PASSED" },
    },
    {
      what: "a result without a test is nobody's",
      lines: ["ok", "test_a (m.C) ... ok", "ok", "FAIL"],
      expected: { "test_a (m.C)": "PASSED" },
    },
    {
      what: "a test that ends without a result leaves the next on its line",
      lines: [
        "test_a (m.C) ... test_b (m.C) ... ok",
        "test_c (m.C) ... test_d (m.C)",
        "A docstring (with brackets) ... ERROR",
      ],
      expected: { "test_b (m.C)": "PASSED", "test_d (m.C)": "ERROR" },
    },
    {
      what: "the summary tells of sub-tests and of set-up",
      lines: [
        "test_a (m.C) ... ok",
        "FAIL: test_a (m.C)",
        "=".repeat(70),
        "FAIL: test_b (m.C) (rate=0.2)",
        "=".repeat(70),
        "ERROR: setUpClass (m.D)",
      ],
      expected: { "test_a (m.C)": "PASSED", "test_b (m.C)": "FAILED", "setUpClass (m.D)": "ERROR" },
    },
    {
      what: "who failed once has failed",
      lines: ["test_a (m.C) ... ok", "=".repeat(70), "ERROR: test_a (m.C)"],
      expected: { "test_a (m.C)": "ERROR" },
    },
    {
      what: "names of newer Pythons, and a docstring whose test is not shown",
      lines: ["test_a (m.C.test_a) ... unexpected success", "A lone docstring ... ok"],
      expected: { "test_a (m.C.test_a)": "FAILED", "A lone docstring": "PASSED" },
    },
  ])("$what", ({ lines, expected }) => {
    expect(statuses(lines)).toEqual(expected);
  });

  it("reads a whole log", () => {
    const log = readFileSync("test/fixtures/eval-logs/django.log", "utf8");
    const parsed = strictDjango(log);
    const known = ["A cart keeps the order of its goods.", "Goods ... and more goods"];
    expect({
      statuses: [...(parsed?.statuses ?? [])].map(([name, status]) => `${status} ${name}`),
      known: known.map((name) => [...(parsed?.aliases.get(name) ?? [])]),
    }).toMatchInlineSnapshot(`
      {
        "known": [
          [
            "test_doc (shop.tests.CartTests)",
            "test_doc_other (shop.tests.CartTests)",
          ],
          [
            "test_long (shop.tests.CartTests)",
          ],
        ],
        "statuses": [
          "PASSED test_no_migrations (shop.tests.MigrationTests)",
          "PASSED test_add (shop.tests.CartTests)",
          "PASSED test_doc (shop.tests.CartTests)",
          "FAILED test_doc_other (shop.tests.CartTests)",
          "PASSED test_long (shop.tests.CartTests)",
          "PASSED test_loud (shop.tests.CartTests)",
          "PASSED test_nested (shop.tests.RunnerTests)",
          "SKIPPED test_remove (shop.tests.CartTests)",
          "XFAIL test_round (shop.tests.CartTests)",
          "FAILED test_rounded (shop.tests.CartTests)",
          "PASSED test_tax (shop.tests.CartTests)",
          "ERROR test_till (shop.tests.CartTests)",
          "FAILED test_sub (shop.tests.CartTests)",
        ],
      }
    `);
  });
});
