import { describe, expect, it } from "vitest";
import { logParsers } from "../../../src/eval/grading/log-parsers.ts";
import { readStrict, readV4, readV5 } from "../../../src/eval/grading/test-output.ts";
import { marked } from "./log-lines.ts";

const readers = { v4: readV4, v5: readV5, strict: readStrict } as const;
const generations = ["v4", "v5", "strict"] as const;
const start = "+ : '>>>>> Start Test Output'";
const end = "+ : '>>>>> End Test Output'";
const passed = "PASSED t.py::f";

/** The refusal of each generation, or the names that it read. */
function readings(log: string): readonly string[] {
  return generations.map((generation) => {
    const reading = readers[generation](log, logParsers[generation].pytest);
    return reading.refusal ?? [...reading.parsed.statuses.keys()].join(" ");
  });
}

describe("the tests' part of a log", () => {
  it.each<{ what: string; log: string; v4: string; v5?: string; strict?: string }>([
    { what: "marked", log: marked(passed), v4: "t.py::f" },
    { what: "with carriage returns", log: marked(passed).replaceAll("\n", "\r\n"), v4: "t.py::f" },
    { what: "empty", log: "", v4: "no_test_output" },
    { what: "not marked at its end", log: `${start}\n${passed}`, v4: "no_test_output" },
    {
      what: "ended by the harness",
      log: `${start}\n${passed}\n\nTimeout error: 1800 seconds exceeded.`,
      v4: "timeout",
    },
    {
      what: "said not to have begun",
      log: `>>>>> Patch Apply Failed\n${marked(passed)}`,
      v4: "patch_apply_failed",
    },
    {
      what: "said to have timed out",
      log: ">>>>> Tests Timed Out after 9 s",
      v4: "tests_timed_out",
    },
    {
      what: "in which tests speak as the harness",
      log: marked(`${passed}\n>>>>> Tests Errored`),
      v4: "tests_errored",
      strict: "t.py::f",
    },
    {
      what: "without a result",
      log: marked("collected 0 items"),
      v4: "",
      v5: "no_results",
    },
    {
      what: "without a result, of a runner that counts",
      log: marked("  12 passing (3s)"),
      v4: "",
      strict: "no_results",
    },
    {
      what: "whose results stand outside it",
      log: `${passed}\n${marked("")}`,
      v4: "t.py::f",
      strict: "no_results",
    },
    {
      what: "marked before it begins",
      log: `${end}\n${start}\n${passed}`,
      v4: "t.py::f",
      strict: "no_test_output",
    },
    {
      what: "ended by a test, which then passes more tests than there are",
      log: `${start}\n${passed}\n${end}\n${passed}\n${end}`,
      v4: "t.py::f",
      strict: "repeated_markers",
    },
    {
      what: "begun by the patch that the log shows",
      log: `+    print(">>>>> Start Test Output")\n${passed}_forged\n${marked(passed)}`,
      v4: "t.py::f_forged",
      strict: "repeated_markers",
    },
    {
      what: "marked by a traced echo",
      log: marked(passed).replaceAll(/\+ : '(>>>>> \w+ Test Output)'/g, "+ echo '$1'\n$1"),
      v4: "t.py::f",
    },
  ])("$what", ({ log, v4, v5 = v4, strict = v5 }) => {
    expect(readings(log)).toEqual([v4, v5, strict]);
  });
});

describe("the exit code of the tests", () => {
  it.each<{ what: string; log: string; v5: string; strict?: string }>([
    { what: "0", log: marked(passed, "0"), v5: "t.py::f" },
    { what: "not 0, and nothing failed", log: marked(passed, "1"), v5: "exit_code" },
    { what: "-9, and nothing failed", log: marked(passed, "-9"), v5: "exit_code" },
    {
      what: "not 0, and a test failed",
      log: marked(`${passed}\nFAILED t.py::g - no`, "1"),
      v5: "t.py::f t.py::g",
    },
    { what: "not told, as in v4", log: `${start}\n${passed}\n${end}`, v5: "t.py::f" },
    {
      what: "0 as a test told it, 1 as it was",
      log: marked(`>>>>> Test Exit Code: 0\n${passed}`, "1"),
      v5: "t.py::f",
      strict: "exit_code",
    },
    {
      what: "1, and 0 as something told it that outlived the tests",
      log: `${marked(passed, "1")}\n>>>>> Test Exit Code: 0`,
      v5: "exit_code",
    },
    {
      what: "not 0, and a failure that only a sentence tells",
      log: marked(`${passed}\nFAILED to light`, "1"),
      v5: "t.py::f to",
      strict: "exit_code",
    },
  ])("is $what", ({ log, v5, strict = v5 }) => {
    expect(readings(log).slice(1)).toEqual([v5, strict]);
  });
});
