import { describe, expect, it } from "vitest";
import { actionOf } from "./repository.ts";

/** Whether status 0 of the command proves that its test run passed. */
const table: readonly (readonly [string, boolean])[] = [
  ["pytest", true],
  ["cd tests && pytest", true],
  ["ls; pytest", true],
  ["pytest && echo passed", true],
  ["pytest | tail -5", false],
  ["set -o pipefail; pytest | tail -5", true],
  ["pytest || true", false],
  ["make || pytest", false],
  ["make || ls | pytest", false],
  ["pytest; echo $?", false],
  ["pytest\nls", false],
  ["set -e\npytest\nls", true],
  ["pytest & wait", false],
  ["! pytest", false],
  ["if pytest; then ls; fi", false],
  ["for i in 1 2; do pytest; done", false],
  ["bash -c 'pytest && ls'", true],
  ["bash -c 'pytest; ls'", false],
  ["if bash -c pytest; then ls; fi", false],
  ["(cd tests && pytest)", true],
  ["(pytest; ls)", false],
  ["timeout 60 pytest > out.log 2>&1", true],
];

describe("what status 0 proves", () => {
  it.each(table)("%s", (command, decisive) => {
    const run = actionOf(command).segments.find((segment) => segment.head === "pytest");
    expect(run?.decisive).toBe(decisive);
  });

  it("names the program whose status is reported", () => {
    const heads = [
      "grep x f",
      "cat f | grep x",
      "grep x f; echo no",
      "grep x f || true",
      "find . -exec rm {} +",
    ];
    expect(heads.map((command) => actionOf(command).lastHead)).toEqual([
      "grep",
      "grep",
      "echo",
      "true",
      "find",
    ]);
  });
});
