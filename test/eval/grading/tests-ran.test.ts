import { describe, expect, it } from "vitest";
import { testsRan } from "../../../src/eval/grading/tests-ran.ts";

describe("testsRan", () => {
  it.each([
    ["Executed 3 of 4", true],
    ["Executed 0 of 0", false],
    ["TOTAL: 12 SUCCESS", true],
    ["TOTAL: 0 FAILED", false],
    ["  10 passing (2s)", true],
    ["  00 passing", false],
    ["01 passing", true],
    ["Tests:       1 failed, 2 passed", true],
    ["Tests:  0 total", false],
    ["Test Suites: 1 failed, 2 passed, 3 total", true],
    ["Test Suites: 0 total", false],
    ["ok 1\n# tests 4", true],
    ["## tests 4", false],
    ["21 specs, 0 failures", true],
    ["1 spec, 1 failure", true],
    ["0 specs, 0 failures", false],
    ["'draws a line': ok\n", true],
    ["5 passed", false],
  ])("%j: %s", (log, ran) => {
    expect(testsRan(log)).toBe(ran);
  });
});
