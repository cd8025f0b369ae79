import { describe, expect, it } from "vitest";
import { grade, type Resolution } from "../../../src/eval/grading/grade.ts";
import type { Generation, ParserName } from "../../../src/eval/grading/log-parsers.ts";
import { marked, rowFor } from "./log-lines.ts";

const generations: readonly Generation[] = ["v4", "v5", "strict"];

describe("expected tests", () => {
  const full = "RESOLVED_FULL";
  const no = "RESOLVED_NO";

  it.each<{
    what: string;
    lines: readonly string[];
    fixed: readonly string[];
    kept?: readonly string[];
    parser?: ParserName;
    v4: Resolution;
    v5: Resolution;
    strict: Resolution;
  }>([
    {
      what: "all pass",
      lines: ["PASSED t.py::f", "PASSED t.py::k"],
      fixed: ["t.py::f"],
      kept: ["t.py::k"],
      v4: full,
      v5: full,
      strict: full,
    },
    {
      what: "one of two is fixed",
      lines: ["PASSED t.py::f", "FAILED t.py::g"],
      fixed: ["t.py::f", "t.py::g"],
      v4: "RESOLVED_PARTIAL",
      v5: "RESOLVED_PARTIAL",
      strict: "RESOLVED_PARTIAL",
    },
    {
      what: "a test to fix is skipped",
      lines: ["t.py::f SKIPPED", "SKIPPED t.py::f", "PASSED t.py::k"],
      fixed: ["t.py::f"],
      kept: ["t.py::k"],
      v4: full,
      v5: no,
      strict: no,
    },
    {
      what: "a test to keep is skipped",
      lines: ["PASSED t.py::f", "SKIPPED t.py::k"],
      fixed: ["t.py::f"],
      kept: ["t.py::k"],
      v4: full,
      v5: full,
      strict: full,
    },
    {
      what: "a test to keep is missing",
      lines: ["PASSED t.py::f"],
      fixed: ["t.py::f"],
      kept: ["t.py::k"],
      v4: no,
      v5: no,
      strict: no,
    },
    {
      what: "a test to fix is expected to fail",
      lines: ["XFAIL t.py::f"],
      fixed: ["t.py::f"],
      v4: full,
      v5: full,
      strict: full,
    },
    {
      what: "a test to keep ends with an error",
      lines: ["PASSED t.py::f", "ERROR t.py::k"],
      fixed: ["t.py::f"],
      kept: ["t.py::k"],
      v4: no,
      v5: no,
      strict: no,
    },
    {
      what: "a cut id, and a name that is not cut",
      parser: "pytest_v2",
      lines: ["PASSED t.py::t[log(photon /s)]"],
      fixed: ["t.py::t[log(photon"],
      v4: full,
      v5: full,
      strict: full,
    },
    {
      what: "a cut id, and names that it means pass and fail",
      parser: "pytest_v2",
      lines: ["PASSED t.py::f[a b]", "FAILED t.py::f[a d] - no"],
      fixed: ["t.py::f[a"],
      v4: no,
      v5: no,
      strict: no,
    },
    {
      what: "a cut id, the last of its names passes",
      lines: ["FAILED t.py::f[a d] - no", "PASSED t.py::f[a b]"],
      fixed: ["t.py::f[a"],
      v4: full,
      v5: full,
      strict: no,
    },
    {
      what: "a cut id within a word",
      lines: ["PASSED t.py::f[ab]"],
      fixed: ["t.py::f[a"],
      v4: no,
      v5: full,
      strict: full,
    },
    {
      what: "a docstring of two tests, the last passes",
      parser: "django",
      lines: ["test_a (m.C)", "What is done ... FAIL", "test_b (m.C)", "What is done ... ok"],
      fixed: ["What is done"],
      v4: full,
      v5: full,
      strict: no,
    },
    {
      what: "a word that is no status counts nowhere",
      lines: ["PASSEDx t.py::f"],
      fixed: ["t.py::f"],
      v4: full,
      v5: full,
      strict: no,
    },
    {
      what: "nothing is expected",
      lines: ["PASSED t.py::f"],
      fixed: [],
      v4: full,
      v5: full,
      strict: no,
    },
  ])("$what", ({ lines, fixed, kept = [], parser = "pytest", v4, v5, strict }) => {
    const log = marked(lines.join("\n"));
    const row = rowFor(parser, fixed, kept);
    expect(
      Object.fromEntries(
        generations.map((generation) => [generation, grade(log, row, generation).resolution]),
      ),
    ).toEqual({ v4, v5, strict });
  });
});
