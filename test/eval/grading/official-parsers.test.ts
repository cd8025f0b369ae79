import { describe, expect, it } from "vitest";
import {
  type Generation,
  logParsers,
  type ParserName,
} from "../../../src/eval/grading/log-parsers.ts";

const esc = "\u001b";

interface Case {
  readonly what: string;
  readonly parser: ParserName;
  readonly log: readonly string[];
  readonly v4: Readonly<Record<string, string>> | null;
  readonly v5: Readonly<Record<string, string>> | null;
}

const spaces = [
  "PASSED tests/test_u.py::test_fmt[a b-1]",
  "PASSED tests/test_u.py::test_fmt[a c-2]",
  "FAILED tests/test_u.py::test_fmt[a d-3] - AssertionError: x - y",
];
const colours = [
  `${esc}[32mPASSED${esc}[0m tests/test_u.py::${esc}[1mtest_ok${esc}[0m`,
  `${esc}[1;31mFAILED${esc}[0m tests/test_u.py::test_no - E`,
];
const docstrings = [
  "test_doc (calc.tests.DocTests)",
  "Docstring of the test, first line ... ok",
  "test_doc2 (calc.tests.DocTests)",
  "Docstring of the test, first line ... FAIL",
  "test_skip (calc.tests.SkipTests) ... skipped 'needs db'",
  "test_xf (calc.tests.XfTests) ... expected failure",
];
const docstringStatuses = {
  "Docstring of the test, first line": "FAILED",
  "test_skip (calc.tests.SkipTests)": "SKIPPED",
};

const cases: readonly Case[] = [
  {
    what: "a name with blanks is its first word",
    parser: "pytest",
    log: spaces,
    v4: { "tests/test_u.py::test_fmt[a": "FAILED" },
    v5: { "tests/test_u.py::test_fmt[a": "FAILED" },
  },
  {
    what: "a name with blanks is whole to one parser of v5",
    parser: "pytest_v2",
    log: spaces,
    v4: { "tests/test_u.py::test_fmt[a": "FAILED" },
    v5: {
      "tests/test_u.py::test_fmt[a b-1]": "PASSED",
      "tests/test_u.py::test_fmt[a c-2]": "PASSED",
      "tests/test_u.py::test_fmt[a d-3]": "FAILED",
    },
  },
  { what: "colours hide a status", parser: "pytest", log: colours, v4: {}, v5: {} },
  {
    what: "colours of two numbers hide a failure",
    parser: "pytest_v2",
    log: colours,
    v4: { "tests/test_u.py::test_ok": "PASSED" },
    v5: { "tests/test_u.py::test_ok": "PASSED" },
  },
  {
    what: "a docstring is the test",
    parser: "django",
    log: docstrings,
    v4: docstringStatuses,
    v5: docstringStatuses,
  },
  {
    what: "a count of skipped tests",
    parser: "pytest",
    log: ["SKIPPED [3] tests/test_u.py:4: slow", "PASSED [100%]"],
    v4: { "[3]": "SKIPPED", "[100%]": "PASSED" },
    v5: { "[100%]": "PASSED" },
  },
  {
    what: "a word that only begins as a status",
    parser: "pytest",
    log: ["ERROR: usage: pytest", "PASSEDtwice t.py::f"],
    v4: { "usage:": "UNKNOWN", "t.py::f": "UNKNOWN" },
    v5: { "usage:": "UNKNOWN", "t.py::f": "UNKNOWN" },
  },
  {
    what: "a path as option",
    parser: "pytest_options",
    log: ["PASSED t.py::f[/a/b.txt]", "PASSED t.py::f[//a/b]", "PASSED t.py::f[/a/*]x"],
    v4: { "t.py::f[/b.txt]": "PASSED", "t.py::f[//a/b]": "PASSED", "t.py::f[/a/*]": "PASSED" },
    v5: { "t.py::f[/b.txt]": "PASSED", "t.py::f[//a/b]": "PASSED", "t.py::f[/a/*]": "PASSED" },
  },
  {
    what: "a status without a name ends v4's parser",
    parser: "seaborn",
    log: ["t.py::f PASSED  [ 50%]", "FAILED"],
    v4: null,
    v5: { "t.py::f": "PASSED" },
  },
  {
    what: "a summary without a name ends both parsers",
    parser: "django",
    log: ["test_a (m.C) ... ok", "FAIL:"],
    v4: null,
    v5: null,
  },
  {
    what: "the last test of a file is not seen, nor whose output broke the line",
    parser: "sympy",
    log: ["a/test_z.py[3] ", "test_x ok", "test_loud out", "ok", "test_y ok      [OK]"],
    v4: { test_x: "PASSED" },
    v5: { test_x: "PASSED" },
  },
  {
    what: "an enum by name",
    parser: "matplotlib",
    log: ["PASSED t.py::press[MouseButton.LEFT-MouseButton.RIGHT]"],
    v4: { "t.py::press[1-3]": "PASSED" },
    v5: { "t.py::press[1-3]": "PASSED" },
  },
];

describe("the official parsers", () => {
  const generations: readonly Exclude<Generation, "strict">[] = ["v4", "v5"];
  it.each(generations.flatMap((generation) => cases.map((row) => ({ ...row, generation }))))(
    "$generation, $parser: $what",
    ({ parser, log, generation, ...expected }) => {
      const parsed = logParsers[generation][parser](log.join("\n"));
      expect(parsed && Object.fromEntries(parsed.statuses)).toEqual(expected[generation]);
    },
  );
});
