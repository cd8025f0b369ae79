import { isSpace, strip, words } from "./python-text.ts";
import { type LogParser, plainLog, type TestStatus } from "./status.ts";

const passes = [" ... ok", " ... OK", " ...  OK"];
/** A migration's progress without a line end before the test's name, in one row. */
const gluedMigration = "Applying sites.0002_alter_domain_unique...test_no_migrations";
const versionTest = "--version is equivalent to version";

interface Reader {
  readonly statuses: Map<string, TestStatus>;
  /** Whose result a later line may bring. */
  previous: string | null;
}

function before(line: string, mark: string): string {
  return line.split(mark, 1)[0] ?? "";
}

/** Returns the line that the remaining rules see. */
function readPass(line: string, { statuses }: Reader): string {
  const suffix = passes.find((pass) => line.endsWith(pass));
  if (suffix === undefined) return line;
  const glued = line.startsWith(gluedMigration);
  const rest = glued ? strip(line.slice(line.indexOf("...") + 3)) : line;
  statuses.set(rest.slice(0, -suffix.length), "PASSED");
  return rest;
}

const defeats: readonly (readonly [word: string, TestStatus])[] = [
  ["FAIL", "FAILED"],
  ["ERROR", "ERROR"],
];

/** `… ... FAIL`, and `FAIL: name (class)` of the summary; false where that line is one word. */
function readDefeats(line: string, { statuses }: Reader): boolean {
  for (const [word, status] of defeats) {
    if (line.endsWith(` ... ${word}`)) statuses.set(before(line, ` ... ${word}`), status);
    if (!line.startsWith(`${word}:`)) continue;
    const [, name] = words(line, 2);
    if (name === undefined) return false;
    statuses.set(name, status);
  }
  return true;
}

function readLine(raw: string, reader: Reader): boolean {
  const { statuses } = reader;
  const whole = strip(raw);
  if (whole.includes(versionTest)) statuses.set(versionTest, "PASSED");
  if (whole.includes(" ... ")) reader.previous = before(whole, " ... ");
  const line = readPass(whole, reader);
  if (line.includes(" ... skipped")) statuses.set(before(line, " ... skipped"), "SKIPPED");
  if (!readDefeats(line, reader)) return false;
  if (line.startsWith("ok") && reader.previous !== null) statuses.set(reader.previous, "PASSED");
  return true;
}

/** Where a match ends whose phrase ends at `from`; null: no match. Asked with growing `from`. */
type EndOfMatch = (from: number) => number | null;

interface Interruption {
  readonly phrase: string;
  readonly endIn: (log: string) => EndOfMatch;
}

/** The end of a line `ok` that begins after the line end at `at`. */
function okLineAt(log: string, at: number): number | null {
  const end = at + "\nok".length;
  const whole = log.startsWith("\nok", at) && (end === log.length || log[end] === "\n");
  return whole ? end : null;
}

/** The places of a mark, each found once however often it is asked for: logs can be hostile. */
function nextOf(log: string, mark: string): (from: number) => number {
  let at = -1;
  return (from) => {
    if (at < from && at < log.length) at = log.indexOf(mark, from);
    if (at < 0) at = log.length;
    return at;
  };
}

/** Messages that stand between a test's name and its `ok`, to the official patterns. */
const interruptions: readonly Interruption[] = [
  {
    phrase: "Testing against Django installed in ",
    endIn: (log) => {
      const mark = " silenced).";
      const next = nextOf(log, `${mark}\nok`);
      return (from) => {
        for (let at = next(from); at < log.length; at = next(at + 1)) {
          const end = okLineAt(log, at + mark.length);
          if (end !== null) return end;
        }
        return null;
      };
    },
  },
  {
    phrase: "Internal Server Error: /",
    endIn: (log) => {
      const next = nextOf(log, "\n");
      return (from) => {
        const line = next(from);
        return line > from && log[line - 1] === "/" ? okLineAt(log, line) : null;
      };
    },
  },
  {
    phrase: "System check identified no issues (0 silenced)",
    endIn: (log) => (from) => okLineAt(log, from),
  },
];

/** Where the white space before `... ` stands when `... ` stands before `at`; else -1. */
function dotsBefore(log: string, at: number): number {
  const dots = at >= 5 && log.startsWith("...", at - 4);
  return dots && isSpace(log.charCodeAt(at - 1)) && isSpace(log.charCodeAt(at - 5)) ? at - 5 : -1;
}

function readInterrupted(log: string, { phrase, endIn }: Interruption, { statuses }: Reader): void {
  const endOf = endIn(log);
  const nextLine = nextOf(log, "\n");
  let line = 0;
  let from = 0;
  for (let at = log.indexOf(phrase); at >= 0; at = log.indexOf(phrase, at + 1)) {
    const dots = dotsBefore(log, at);
    for (let end = nextLine(line); end < dots; end = nextLine(line)) line = end + 1;
    const ended = dots >= 0 && line >= from ? endOf(at + phrase.length) : null;
    if (ended === null) continue;
    statuses.set(log.slice(line, dots), "PASSED");
    from = ended;
  }
}

/** The same in both generations. A docstring stands for its test; the last of a name wins. */
export const officialDjango: LogParser = (log) => {
  const reader: Reader = { statuses: new Map(), previous: null };
  for (const line of log.split("\n")) if (!readLine(line, reader)) return null;
  for (const interruption of interruptions) readInterrupted(log, interruption, reader);
  return plainLog(reader.statuses);
};
