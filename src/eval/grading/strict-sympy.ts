import type { LogParser, TestStatus } from "./status.ts";
import { StrictResults } from "./strict-results.ts";
import { plainText } from "./strict-text.ts";

/** The letters of sympy's runner; `X`, an unexpected pass, is no result, as in pytest's logs. */
const results: Readonly<Record<string, TestStatus>> = {
  ok: "PASSED",
  F: "FAILED",
  E: "ERROR",
  T: "ERROR",
  f: "XFAIL",
  s: "SKIPPED",
  w: "SKIPPED",
  K: "SKIPPED",
};

/** `path/test_file.py[12] `; `[?]`: it could not be imported. */
const fileLine = /^(\S+\.py)\[(\d+|\?)\]/;
const testLine = /^(test_\w+)(?: |$)/;

/** The last word, without the mark of the file that the last test's line carries. */
function resultAt(line: string): TestStatus | undefined {
  const text = line.replace(/\[(?:OK|FAIL)\]$/, "").trimEnd();
  const word = text.slice(text.lastIndexOf(" ") + 1);
  return Object.hasOwn(results, word) ? results[word] : undefined;
}

/** Of `____ path/test_file.py:test_name ____`, above a traceback; long names have one `_` a side. */
function failedTest(line: string): readonly [path: string, name: string] | null {
  const [left = "", id = "", right = "", ...more] = line.startsWith("_") ? line.split(" ") : [];
  const end = id.indexOf(".py:") + ".py".length;
  const rules = /^_+$/.test(left) && /^_+$/.test(right) && more.length === 0;
  return rules && end > ".py".length ? [id.slice(0, end), id.slice(end + 1)] : null;
}

class SympyLog {
  readonly found = new StrictResults();
  #file = "";
  /** The test whose result has not come: what it prints can break its line. */
  #open: string | null = null;

  read(line: string): void {
    const [, path, count] = fileLine.exec(line) ?? [];
    if (path !== undefined) this.#file = path;
    if (path !== undefined && count === "?") this.found.add(path, "ERROR", []);
    const failed = failedTest(line);
    if (failed) this.#add(...failed, "FAILED");
    const begun = testLine.exec(line)?.[1];
    if (begun !== undefined) this.#open = begun;
    const status = begun !== undefined || !line.includes(" ") ? resultAt(line) : undefined;
    if (this.#open === null || !status) return;
    this.#add(this.#file, this.#open, status);
    this.#open = null;
  }

  #add(path: string, name: string, status: TestStatus): void {
    this.found.add(path === "" ? name : `${path}:${name}`, status, [name]);
  }
}

/** Tests of the same name in two files are two tests. */
export const strictSympy: LogParser = (log) => {
  const sympy = new SympyLog();
  for (const line of plainText(log).split("\n")) sympy.read(line.trim());
  return sympy.found;
};
