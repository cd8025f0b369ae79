import fc from "fast-check";
import type { GradedRow } from "../../../src/eval/grading/grade.ts";
import type { ParserName } from "../../../src/eval/grading/log-parsers.ts";

/** A repository of each parser: v4 goes by it, v5 by the parser's name. */
const repositories: Readonly<Record<ParserName, string>> = {
  django: "django/django",
  matplotlib: "matplotlib/matplotlib",
  pytest: "pytest-dev/pytest",
  pytest_options: "psf/requests",
  pytest_v2: "astropy/astropy",
  seaborn: "mwaskom/seaborn",
  sympy: "sympy/sympy",
};
const parserNames = Object.keys(repositories) as readonly ParserName[];

export function rowFor(
  parser: ParserName,
  FAIL_TO_PASS: readonly string[] = [],
  PASS_TO_PASS: readonly string[] = [],
): GradedRow {
  return {
    instance_id: "lamp__lamp-1",
    repo: repositories[parser],
    log_parser: `parse_log_${parser}`,
    eval_type: "pass_and_fail",
    FAIL_TO_PASS: [...FAIL_TO_PASS],
    PASS_TO_PASS: [...PASS_TO_PASS],
  };
}

/** A log as an eval script of v5 leaves it. */
export function marked(tests: string, exitCode = "0"): string {
  return [
    "+ git status",
    "+ : '>>>>> Start Test Output'",
    tests,
    `+ SWEBENCH_TEST_EXIT_CODE=${exitCode}`,
    "+ : '>>>>> End Test Output'",
    `+ echo '>>>>> Test Exit Code: ${exitCode}'`,
    `>>>>> Test Exit Code: ${exitCode}`,
    "+ git checkout 1f0c2aa tests/test_wick.py",
    "",
  ].join("\n");
}

const split = (text: string) => fc.constantFrom(...text.split("|"));

const status = split("PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS|ERROR:|FAIL:|PASSEDx");
const name = split(
  "t.py::f|t.py::f[a|t.py::f[a b]|t.py::f[a - b]|t.py::g[/x/y]|t.py::g[//x]|t.py::g[/x*]|[1]|[٣]|[100%]|[ 50%]" +
    "|test_a (m.C)|test_b (m.C)|A docstring|--version is equivalent to version|test_x|test_y|a/b.py:test_x|.py:|a/test_z.py[2]" +
    "|MouseButton.LEFT|Applying sites.0002_alter_domain_unique...test_no_migrations|é|🙂",
);
const result = split(
  "ok|OK|FAIL|skipped 'no'|expected failure| ... ok| ... FAIL| ... ERROR| ...  OK| E| F| f|[OK]",
);
/** White space of all kinds, controls, halves of colours. */
const between = split(" | |  |\t| - | ... |...|\u00a0|\u0085|\u001c|\ufeff|\0|\r|\u2028|_|____ ");
const colour = split("\u001b[32m|\u001b[1;31m|\u001b[0m|[12m|\u001b]0;title\u0007");
const interruption = split(
  "Testing against Django installed in | silenced).|Internal Server Error: /|/x/|//|System check identified no issues (0 silenced)",
);
const harness = split(
  ">>>>> Start Test Output|>>>>> End Test Output|>>>>> Test Exit Code: 1|>>>>> Patch Apply Failed|>>>>> Tests Timed Out" +
    "|3 passing|0 passing|12 specs, 0 failures|no tests ran|Killed|Failed to launch",
);

const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.oneof(status, name, result, between, between, colour, interruption, harness), {
        maxLength: 6,
      })
      .map((parts) => parts.join("")),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.oneof(status, name), fc.oneof(name, between), fc.oneof(name, result)),
  },
  { weight: 1, arbitrary: fc.constant("ok") },
);

/** Lines of a log, ended in any of the three ways. */
const lines = fc
  .array(
    fc.tuple(
      line.map((parts) => (typeof parts === "string" ? parts : parts.join(" "))),
      split("\n|\n|\n|\r\n|\r"),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.flat().join(""));

/** Logs as harness, tests and those who mean harm write them, and any text. */
export const anyLog = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(lines, lines, split("0|1|-1|x|"), lines)
      .map(([before, tests, code, after]) => `${before}\n${marked(tests, code)}${after}`),
  },
  { weight: 1, arbitrary: lines },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
);

const ids = fc.uniqueArray(name, { maxLength: 4 });

export const anyRow = fc
  .tuple(fc.constantFrom(...parserNames), ids, ids)
  .map(([parser, fixed, kept]) => rowFor(parser, fixed, kept));
