import { describe, expect, it } from "vitest";
import { failedRunner } from "../../../src/substrate/shell/test-summary.ts";

describe("failedRunner", () => {
  it.each([
    ["pytest", "=========== 1 failed, 3 passed in 0.12s ===========\n"],
    ["pytest", "1 failed, 3 passed, 2 warnings in 0.12s"],
    ["pytest", "=========== 2 errors in 1.02s ==========="],
    ["pytest", "ERROR tests/test_a.py - ImportError: no module named x\n"],
    ["pytest", "FAILED tests/test_a.py::T::test_x - assert 1 == 2"],
    ["pytest", "!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!"],
    ["unittest", "Ran 3 tests in 0.001s\n\nFAILED (failures=1, errors=2)\n"],
    ["doctest", "***Test Failed*** 2 failures.\n"],
    ["sympy", "====== tests finished: 10 passed, 1 failed, in 1.20 seconds ======\n"],
    [
      "sympy",
      "====== tests finished: 1 passed, 2 exceptions, in 1.20 seconds ======\nDO *NOT* COMMIT!",
    ],
    ["node --test", "# tests 2\n# pass 1\n# fail 1\n"],
    ["node --test", "ℹ pass 1\nℹ fail 1\n"],
    ["TAP", "ok 1 - a\nnot ok 2 - b\n"],
    ["go test", "--- FAIL: TestX (0.00s)\n"],
    ["go test", "FAIL\tpkg/a\t0.012s\n"],
    ["cargo test", "test result: FAILED. 3 passed; 1 failed; 0 ignored\n"],
    ["jest", "Tests:       1 failed, 2 passed, 3 total\n"],
    ["vitest", " Test Files  1 failed | 2 passed (3)\n"],
    ["mocha", "  3 passing (10ms)\n  1 failing\n"],
    ["rspec", "3 examples, 1 failure\n"],
    ["phpunit", "FAILURES!\nTests: 3, Assertions: 3, Failures: 1.\n"],
    ["maven", "Tests run: 3, Failures: 0, Errors: 1, Skipped: 0"],
    ["ctest", "67% tests passed, 1 tests failed out of 3\n"],
  ])("recognises the failure that %s reports: %j", (runner, output) => {
    expect(failedRunner(output)).toBe(runner);
  });

  it.each([
    [""],
    ["=========== 3 passed, 1 warning in 0.12s ==========="],
    ["=========== 3 passed, 1 xfailed in 0.12s ==========="],
    ["Ran 3 tests in 0.001s\n\nOK (skipped=1)\n"],
    ["====== tests finished: 10 passed, 2 expected to fail, in 1.20 seconds ======"],
    ["# pass 2\n# fail 0\n"],
    ["ok  \tpkg/a\t0.012s\n"],
    ["test result: ok. 3 passed; 0 failed; 0 ignored\n"],
    ["Tests:       3 passed, 3 total\n"],
    ["  3 passing (10ms)\n"],
    ["3 examples, 0 failures\n"],
    ["Tests run: 3, Failures: 0, Errors: 0, Skipped: 0"],
    ["100% tests passed, 0 tests failed out of 3"],
    ["the build failed 3 times before"],
  ])("finds no failure in %j", (output) => {
    expect(failedRunner(output)).toBeNull();
  });

  it("looks at the end of a long output", () => {
    const summary = "1 failed, 3 passed in 0.12s\n";
    expect(failedRunner(`${"x\n".repeat(1e6)}${summary}`)).toBe("pytest");
    expect(failedRunner(`${summary}${"x\n".repeat(1e6)}`)).toBeNull();
  });
});
