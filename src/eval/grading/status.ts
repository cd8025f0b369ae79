const known = ["PASSED", "FAILED", "SKIPPED", "ERROR", "XFAIL"] as const;

/**
 * What a log says of a test. UNKNOWN: the official parsers take the first word of any line that
 * begins as a status does (`ERROR:`, `PASSEDx`) for one; their graders count such a test nowhere.
 */
export type TestStatus = (typeof known)[number] | "UNKNOWN";
export type Statuses = ReadonlyMap<string, TestStatus>;

/** `aliases`: other names by which a dataset may know a test; none under the official rules. */
export interface ParsedLog {
  readonly statuses: Statuses;
  readonly aliases: ReadonlyMap<string, ReadonlySet<string>>;
}

/** null: the official function ends with an IndexError on such a log, and so does its grader. */
export type LogParser = (log: string) => ParsedLog | null;

export function statusOf(word: string): TestStatus {
  return known.find((status) => status === word) ?? "UNKNOWN";
}

const asStatus = new RegExp(`^(?:${known.join("|")})`);

export function beginsAsStatus(line: string): boolean {
  return asStatus.test(line);
}

export function endsAsStatus(line: string): boolean {
  return known.some((status) => line.endsWith(status));
}

const noAliases: ParsedLog["aliases"] = new Map();

/** What an official parser found. */
export function plainLog(statuses: Statuses): ParsedLog {
  return { statuses, aliases: noAliases };
}
