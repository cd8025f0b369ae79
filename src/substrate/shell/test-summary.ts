/** How a test runner's own summary says that something failed; one row a runner. */
const failureLines: readonly { readonly runner: string; readonly line: RegExp }[] = [
  { runner: "sympy", line: /^=+ tests finished: .*\b[1-9]\d* (?:failed|exceptions)\b/m },
  { runner: "sympy", line: /^DO \*NOT\* COMMIT!/m },
  { runner: "pytest", line: /^(?:=+ )?.*\b[1-9]\d* (?:failed|errors?)\b.* in [\d.]+ ?s/m },
  { runner: "pytest", line: /^(?:FAILED|ERROR) \S+\.py\b|^!+ (?:Interrupted|stopping)\b/m },
  { runner: "unittest", line: /^FAILED \((?:failures|errors|unexpected successes)=\d/m },
  { runner: "doctest", line: /^\*\*\*Test Failed\*\*\* \d+ failures?/m },
  { runner: "node --test", line: /^(?:#|ℹ) fail [1-9]/m },
  { runner: "TAP", line: /^not ok \d/m },
  { runner: "go test", line: /^(?:--- FAIL: |FAIL(?:\t|$))/m },
  { runner: "cargo test", line: /^test result: FAILED\./m },
  { runner: "jest", line: /^(?:Tests|Test Suites): +[1-9]\d* failed\b/m },
  { runner: "vitest", line: /^ *(?:Tests|Test Files) +[1-9]\d* failed\b/m },
  { runner: "mocha", line: /^ +[1-9]\d* failing\b/m },
  { runner: "rspec", line: /^\d+ examples?, [1-9]\d* failures?/m },
  { runner: "phpunit", line: /^(?:FAILURES|ERRORS)!$/m },
  { runner: "maven", line: /\bTests run: \d+, Failures: (?:[1-9]|\d+, Errors: [1-9])/ },
  { runner: "ctest", line: /^\d+% tests passed, [1-9]\d* tests? failed/m },
  { runner: "tox", line: /^ +\S+: FAIL\b/m },
];

/** A summary stands at the end; this many characters are searched (our choice). */
const tailChars = 20_000;

/**
 * The runner whose summary in `output` reports a failure, or null. An exit code of 0 proves nothing
 * where the tests ran in front of a pipe, and then the summary tells.
 */
export function failedRunner(output: string): string | null {
  const tail = output.slice(-tailChars);
  return failureLines.find(({ line }) => line.test(tail))?.runner ?? null;
}
