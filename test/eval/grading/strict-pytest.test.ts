import { describe, expect, it } from "vitest";
import { logParsers, type ParserName } from "../../../src/eval/grading/log-parsers.ts";

const esc = "\u001b";

function statuses(lines: readonly string[], parser: ParserName = "pytest"): object {
  return Object.fromEntries(logParsers.strict[parser](lines.join("\n"))?.statuses ?? []);
}

describe("pytest's logs by strict rules", () => {
  it.each<{ what: string; lines: readonly string[]; expected: Readonly<Record<string, string>> }>([
    {
      what: "names with blanks are whole",
      lines: [
        "PASSED tests/test_u.py::test_fmt[a b-1]",
        "PASSED tests/test_u.py::test_fmt[a c-2]",
        "FAILED tests/test_u.py::test_fmt[a d-3] - AssertionError: x - y",
      ],
      expected: {
        "tests/test_u.py::test_fmt[a b-1]": "PASSED",
        "tests/test_u.py::test_fmt[a c-2]": "PASSED",
        "tests/test_u.py::test_fmt[a d-3]": "FAILED",
      },
    },
    {
      what: "colours go, whatever their numbers",
      lines: [
        `${esc}[32mPASSED${esc}[0m tests/test_u.py::${esc}[1mtest_ok${esc}[0m`,
        `${esc}[1;31mFAILED${esc}[0m tests/test_u.py::test_no - E`,
        `${esc}]8;;file:t.py${esc}\\PASSED${esc}]8;;\u0007 t.py::${esc}(Blink\0ed\r`,
      ],
      expected: {
        "tests/test_u.py::test_ok": "PASSED",
        "tests/test_u.py::test_no": "FAILED",
        "t.py::linked": "PASSED",
      },
    },
    {
      what: "the dash of an option is not that of a message",
      lines: [
        "FAILED t.py::f[a - b] - assert [1] - [2]",
        "FAILED t.py::f[- - ]",
        "FAILED t.py::f[c [d] - e] - no [f] - g",
        "FAILED t.py::f[a[ - b] - no",
        "FAILED t.py::g - assert [1]",
        "XFAIL t.py::h - not yet",
        "PASSED t.py::f[c - d]",
        "FAILED t.py::k[a",
        "FAILED t.py::k[b - cut",
      ],
      expected: {
        "t.py::f[a - b]": "FAILED",
        "t.py::f[- - ]": "FAILED",
        "t.py::f[c [d] - e]": "FAILED",
        "t.py::f[a[ - b]": "FAILED",
        "t.py::g": "FAILED",
        "t.py::h": "XFAIL",
        "t.py::f[c - d]": "PASSED",
        "t.py::k[a": "FAILED",
        "t.py::k[b": "FAILED",
      },
    },
    {
      what: "progress lines tell too, and who failed once has failed",
      lines: [
        "t.py::late PASSED                    [ 10%]",
        "t.py::f[x y] SKIPPED (no net)        [ 20%]",
        "t.py::g XFAIL",
        "ERROR t.py::late - teardown",
        "PASSED t.py::late",
      ],
      expected: { "t.py::late": "ERROR", "t.py::f[x y]": "SKIPPED", "t.py::g": "XFAIL" },
    },
    {
      what: "sentences, counts and log records name no test",
      lines: [
        "FAILED to light: a::b",
        "SKIPPED [3] t.py:4: slow",
        "ERROR    root:t.py:12 a::b",
        "ERROR: file not found: t.py::f",
        "PASSEDx t.py::f",
        "E   assert a::b PASSED",
        "XPASS t.py::f",
        "PASSED",
        "ERROR tests/test_broken.py - ImportError",
      ],
      expected: { "tests/test_broken.py": "ERROR" },
    },
    {
      what: "the line that two rows of Verified expect",
      lines: ["PASSED                    [100%]", "FAILED                    [100%]"],
      expected: { "[100%]": "PASSED" },
    },
  ])("$what", ({ lines, expected }) => {
    expect(statuses(lines)).toEqual(expected);
  });

  it("knows each test by the names that the official parsers give it", () => {
    const aliases = (parser: ParserName, line: string) => [
      ...(logParsers.strict[parser](line)?.aliases.keys() ?? []),
    ];
    expect(aliases("pytest", "PASSED t.py::f[a  b]")).toEqual(["t.py::f[a", "t.py::f[a b]"]);
    expect(aliases("pytest_options", "PASSED t.py::f[/a/b]")).toEqual(["t.py::f[/b]"]);
    expect(aliases("matplotlib", "PASSED t.py::f[MouseButton.LEFT]")).toEqual(["t.py::f[1]"]);
    expect(aliases("pytest", "PASSED t.py::f")).toEqual([]);
  });
});
