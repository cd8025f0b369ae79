import type { LogParser, TestStatus } from "./status.ts";
import { StrictResults } from "./strict-results.ts";
import { plainText } from "./strict-text.ts";

const results: ReadonlyMap<string, TestStatus> = new Map([
  ["ok", "PASSED"],
  ["OK", "PASSED"],
  ["FAIL", "FAILED"],
  ["ERROR", "ERROR"],
  ["expected failure", "XFAIL"],
  ["unexpected success", "FAILED"],
]);

function resultOf(text: string): TestStatus | undefined {
  return /^skipped ['"]/.test(text) ? "SKIPPED" : results.get(text);
}

/** `name (package.module.Class)` at the end of a text. */
function idAtEnd(text: string): string | null {
  const open = text.endsWith(")") ? text.lastIndexOf(" (") : -1;
  if (open < 0 || !/^[^\s()]+$/.test(text.slice(open + 2, -1))) return null;
  let start = open;
  while (start > 0 && /\w/.test(text[start - 1] ?? "")) start -= 1;
  return start === open ? null : text.slice(start);
}

function wholeId(text: string): string | null {
  return idAtEnd(text) === text ? text : null;
}

/** unittest's verbose log, line by line: `ID ... RESULT`, or `ID`, then `docstring ... RESULT`. */
class UnittestLog {
  readonly found = new StrictResults();
  /** The id that is all of the line before: a docstring follows. */
  #header: string | null = null;
  /** The test whose result has not come, and how the log shows it; output may come first. */
  #open: { readonly id: string; readonly shown: string } | null = null;
  #afterRule = false;

  read(raw: string): void {
    const line = raw.trim();
    const parts = `${line} `.split(" ... ").map((part) => part.trim());
    const summary = this.#afterRule ? /^(FAIL|ERROR): ([\w.]+ \([^\s()]+\))/.exec(line) : null;
    this.#afterRule = /^={50}=*$/.test(line);
    if (summary?.[2]) this.found.add(summary[2], resultOf(summary[1] ?? "") ?? "FAILED", []);
    else if (parts.length > 1) this.#readParts(parts);
    else {
      this.#close(resultOf(line));
      this.#header = wholeId(line);
    }
  }

  /** A test that ends without a result, as with failed sub-tests, leaves the next on its line. */
  #readParts(parts: readonly string[]): void {
    for (const [index, part] of parts.entries()) {
      if (index > 0 && this.#close(resultOf(part))) break;
      const last = index === parts.length - 1;
      if (!last) this.#begin(part, index > 0);
      this.#header = last ? wholeId(part) : null;
    }
  }

  #begin(part: string, within: boolean): void {
    const named = wholeId(part) ?? this.#header ?? idAtEnd(part);
    const longer = named === null && within ? this.#open : null;
    if (longer) this.#open = { id: longer.id, shown: `${longer.shown} ... ${part}` };
    else this.#open = { id: named ?? part, shown: part };
  }

  #close(status: TestStatus | undefined): boolean {
    if (!status) return false;
    if (this.#open) this.found.add(this.#open.id, status, [this.#open.shown]);
    this.#open = null;
    return true;
  }
}

/** Each test by its own name; a docstring is an alias, which several tests can share. */
export const strictDjango: LogParser = (log) => {
  const unittest = new UnittestLog();
  for (const line of plainText(log).split("\n")) unittest.read(line);
  return unittest.found;
};
