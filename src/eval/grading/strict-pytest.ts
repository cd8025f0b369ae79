import { nameWithShortOption, withMouseButtons } from "./official-pytest.ts";
import { words } from "./python-text.ts";
import { beginsAsStatus, type LogParser, statusOf, type TestStatus } from "./status.ts";
import { StrictResults } from "./strict-results.ts";
import { plainText } from "./strict-text.ts";

interface Result {
  readonly id: string;
  readonly status: TestStatus;
}

/** Where the options of an id end before a message: at the bracket that closes the first; else -1. */
function endOfOptions(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === "[") depth += 1;
    else if (text[at] === "]") depth -= 1;
    if (depth === 0 && text.startsWith("] - ", at)) return at + 1;
  }
  const first = text.indexOf("] - ", open);
  return first < 0 ? -1 : first + 1;
}

/** The id in `ID - message`; its options may hold ` - ` too, and brackets that nothing closes. */
function withoutMessage(text: string): string {
  const dash = text.indexOf(" - ");
  if (dash < 0) return text;
  const open = text.indexOf("[");
  if (open < 0 || open > dash) return text.slice(0, dash);
  const end = endOfOptions(text, open);
  if (end >= 0) return text.slice(0, end);
  return text.endsWith("]") ? text : text.slice(0, dash);
}

/** `STATUS ID[ - message]` of the short summary. */
function summaryLine(line: string): Result | null {
  if (!beginsAsStatus(line)) return null;
  const space = line.indexOf(" ");
  const status = statusOf(line.slice(0, space));
  // Logged errors are padded: `ERROR    root:file.py:5 …`.
  const logged = status === "ERROR" && line.startsWith("  ", space);
  if (space < 0 || status === "UNKNOWN" || logged) return null;
  const text = line.slice(space).trim();
  const id = status === "PASSED" || status === "SKIPPED" ? text : withoutMessage(text);
  // A count of skipped tests names none.
  return id === "" || (status === "SKIPPED" && /^\[\d+\]/.test(id)) ? null : { id, status };
}

/** Without the `[ 42%]` at its end. */
function withoutPercent(line: string): string {
  return line.endsWith("%]") ? line.slice(0, line.lastIndexOf("[")).trimEnd() : line;
}

/** `ID STATUS[ (reason)][ 42%]`, as pytest prints while it runs. */
function progressLine(line: string): Result | null {
  if (!line.includes("::")) return null;
  const whole = withoutPercent(line.trimEnd());
  const reason = whole.endsWith(")") ? whole.search(/ (?:SKIPPED|XFAIL) \(/) : -1;
  const said = reason >= 0 ? whole.slice(0, whole.indexOf(" (", reason)) : whole;
  const space = said.lastIndexOf(" ");
  const status = statusOf(said.slice(space + 1));
  const id = said.slice(0, Math.max(space, 0)).trimEnd();
  return status === "UNKNOWN" ? null : { id, status };
}

/**
 * A node id, or a file that could not be collected, and no sentence that begins with a status. Two
 * rows of SWE-bench Verified expect that `[100%]` passes: a line in what pytest's own tests print.
 */
function namesTest({ id, status }: Result): boolean {
  const [path = ""] = words(id, 1);
  return path.includes("::") || path.endsWith(".py") || (id === "[100%]" && status === "PASSED");
}

/** `aliasesOf`: the names that the official parsers would give to a test of this id. */
function strictPytest(aliasesOf: (id: string) => readonly string[]): LogParser {
  return (log) => {
    const results = new StrictResults();
    for (const line of plainText(log).split("\n")) {
      const result = summaryLine(line) ?? progressLine(line);
      if (result && namesTest(result)) results.add(result.id, result.status, aliasesOf(result.id));
    }
    return results;
  };
}

/** Datasets know a test by the first word of its name, or by its words with single blanks. */
function shownNames(id: string): readonly string[] {
  return id.includes(" ") ? [words(id, 1)[0] ?? id, words(id).join(" ")] : [id];
}

export const strictPytestNames = strictPytest(shownNames);

export const strictPytestOptions = strictPytest((id) => shownNames(id).map(nameWithShortOption));

export const strictMatplotlib = strictPytest((id) => shownNames(withMouseButtons(id)));
