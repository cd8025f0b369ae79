import { words } from "./python-text.ts";
import {
  beginsAsStatus,
  endsAsStatus,
  type LogParser,
  plainLog,
  statusOf,
  type TestStatus,
} from "./status.ts";

/** The name under which the first word of an id is kept. */
type NameOf = (word: string) => string;
/** Whether a status line with that name tells of a test. */
type TellsOfTest = (status: string, name: string) => boolean;

export const nameItself: NameOf = (name) => name;

/** A path as the whole of an option is cut to its last part, as it differs by machine. */
export const nameWithShortOption: NameOf = (name) => {
  const open = name.indexOf("[");
  const close = name.lastIndexOf("]");
  if (open < 0 || close < open) return name;
  const option = name.slice(open + 1, close);
  const isPath = option.startsWith("/") && !option.startsWith("//") && !option.includes("*");
  return `${name.slice(0, open)}[${isPath ? option.slice(option.lastIndexOf("/")) : option}]`;
};

/** v4: `SKIPPED [3] path:line: reason` tells of a test `[3]`. */
export const always: TellsOfTest = () => true;
export const unlessSkipCount: TellsOfTest = (status, name) =>
  status !== "SKIPPED" || !/^\[\p{Nd}+\]$/u.test(name);

/** Lines `STATUS NAME …`, the last one of a name wins. */
export function statusLines(nameOf: NameOf, tellsOfTest: TellsOfTest): LogParser {
  return (log) => {
    const statuses = new Map<string, TestStatus>();
    for (const line of log.split("\n")) {
      if (!beginsAsStatus(line)) continue;
      const [status, name] = words(withoutDashes(line), 2);
      if (status === undefined || name === undefined || !tellsOfTest(status, name)) continue;
      statuses.set(nameOf(name), statusOf(status));
    }
    return plainLog(statuses);
  };
}

/** The ` - ` before the message of a failure, and every other, is white space. */
function withoutDashes(line: string): string {
  return line.startsWith("FAILED") ? line.replaceAll(" - ", " ") : line;
}

/** matplotlib's names hold an enum that newer Pythons print by name. */
export function withMouseButtons(log: string): string {
  return log.replaceAll("MouseButton.LEFT", "1").replaceAll("MouseButton.RIGHT", "3");
}

export function matplotlibLines(tellsOfTest: TellsOfTest): LogParser {
  const parse = statusLines(nameItself, tellsOfTest);
  return (log) => parse(withMouseButtons(log));
}

/** Colours of one number go, and control characters; what is left of other colours stays. */
function withoutSimpleColours(log: string): string {
  return log.replaceAll(/\[\p{Nd}+m/gu, "").replaceAll(/\p{Cc}/gu, (control) => {
    const code = control.charCodeAt(0);
    return control === "\n" || code === 0 || code > 0x1f ? control : "";
  });
}

/** pytest_v2 of v4: one word is the name; old pytests print it before the status. */
export const pytestTwoWays: LogParser = (log) => {
  const statuses = new Map<string, TestStatus>();
  for (const line of withoutSimpleColours(log).split("\n")) {
    const begins = beginsAsStatus(line);
    if (!(begins || endsAsStatus(line))) continue;
    const [first, second] = words(withoutDashes(line), 2);
    if (first === undefined || second === undefined) continue;
    if (begins) statuses.set(second, statusOf(first));
    else statuses.set(first, statusOf(second));
  }
  return plainLog(statuses);
};

/** pytest_v2 of v5: all words but the status are the name. */
function wholeName(line: string): readonly [name: string, status: string] | null {
  const begins = beginsAsStatus(line);
  if (!(begins || endsAsStatus(line))) return null;
  const all = words(line.startsWith("FAILED") ? (line.split(" - ", 1)[0] ?? "") : line);
  const [first = "", second] = all;
  if (second === undefined) return null;
  if (!begins) return [all.slice(0, -1).join(" "), all.at(-1) ?? ""];
  return unlessSkipCount(first, second) ? [all.slice(1).join(" "), first] : null;
}

export const pytestWholeNames: LogParser = (log) => {
  const statuses = new Map<string, TestStatus>();
  for (const line of withoutSimpleColours(log).split("\n")) {
    const [name, status] = wholeName(line) ?? [];
    if (name !== undefined && status !== undefined) statuses.set(name, statusOf(status));
  }
  return plainLog(statuses);
};

/** What a line of seaborn's log says of a test, in either order of words; null: nothing. */
function seabornLine(line: string): readonly [name: string | undefined, TestStatus] | null {
  const [first, second] = words(line, 2);
  if (line.startsWith("FAILED")) return [second, "FAILED"];
  if (line.includes(" PASSED ")) {
    if (second === undefined) return [undefined, "PASSED"];
    return second === "PASSED" ? [first, "PASSED"] : null;
  }
  return line.startsWith("PASSED") ? [second, "PASSED"] : null;
}

export const seabornV5: LogParser = (log) => {
  const statuses = new Map<string, TestStatus>();
  for (const line of log.split("\n")) {
    const [name, status] = seabornLine(line) ?? [];
    if (name !== undefined && status) statuses.set(name, status);
  }
  return plainLog(statuses);
};

/** v4 fails on a status that stands without a name. */
export const seabornV4: LogParser = (log) => {
  const bare = log
    .split("\n")
    .map(seabornLine)
    .some((said) => said && said[0] === undefined);
  return bare ? null : seabornV5(log);
};
