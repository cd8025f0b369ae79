import { strip, words } from "./python-text.ts";
import { type LogParser, plainLog, type TestStatus } from "./status.ts";

/**
 * The name that a line gives as failed, by the official pattern: from its first space to its last,
 * with `.py:` between. Meant for `____ path.py:test ____`; other lines match it too.
 */
function failedName(line: string): string | null {
  const first = line.indexOf(" ");
  const last = line.lastIndexOf(" ");
  const file = last >= 4 ? line.lastIndexOf(".py:", last - 4) : -1;
  return first >= 0 && file > first ? line.slice(first + 1, last) : null;
}

const results: readonly (readonly [suffix: string, TestStatus])[] = [
  [" E", "ERROR"],
  [" F", "FAILED"],
  [" ok", "PASSED"],
];

/** The same in both generations. The last test of a file, `test_x ok   [OK]`, is not seen. */
export const officialSympy: LogParser = (log) => {
  const statuses = new Map<string, TestStatus>();
  const lines = log.split("\n");
  for (const line of lines) {
    const name = failedName(line);
    if (name !== null) statuses.set(name, "FAILED");
  }
  for (const line of lines.map(strip)) {
    if (!line.startsWith("test_")) continue;
    const [, status] = results.find(([suffix]) => line.endsWith(suffix)) ?? [];
    const [name] = words(line, 1);
    if (name !== undefined && status) statuses.set(name, status);
  }
  return plainLog(statuses);
};
