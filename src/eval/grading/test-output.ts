import { universalNewlines } from "./python-text.ts";
import type { LogParser, ParsedLog } from "./status.ts";
import { testsRan } from "./tests-ran.ts";

const startOfTests = ">>>>> Start Test Output";
export const endOfTests = ">>>>> End Test Output";
export const exitCodeMark = ">>>>> Test Exit Code:";
const firstExitCode = new RegExp(`${exitCodeMark}\\s*(-?\\d+)`);

/** What the harness or its older scripts write into a log instead of results. */
const failures = [
  { text: ">>>>> Patch Apply Failed", refusal: "patch_apply_failed" },
  { text: ">>>>> Reset Failed", refusal: "reset_failed" },
  { text: ">>>>> Tests Errored", refusal: "tests_errored" },
  { text: ">>>>> Tests Timed Out", refusal: "tests_timed_out" },
] as const;

/**
 * Why a log is no account of a test run. `timeout`: the harness ended the script. `no_test_output`,
 * `repeated_markers`: the tests' part is not marked, or not once. `no_results`: nothing in it tells
 * of a test. `exit_code`: the tests failed as a whole but none by name, so the names are not to be
 * believed. `parser_failed`: the official parser ends on it, and the instance as an error.
 */
export type Refusal =
  | (typeof failures)[number]["refusal"]
  | "timeout"
  | "no_test_output"
  | "repeated_markers"
  | "no_results"
  | "exit_code"
  | "parser_failed";

export type Reading =
  | { readonly refusal: null; readonly parsed: ParsedLog }
  | { readonly refusal: Refusal };

const refuse = (refusal: Refusal): Reading => ({ refusal });

/** The line that the official harness adds to the log of a script that it ended. */
export function endedByHarness(log: string): boolean {
  return /\nTimeout error: \d+ seconds exceeded\.\s*$/.test(log.slice(-200));
}

function unmarked(log: string): Reading {
  return refuse(endedByHarness(log) ? "timeout" : "no_test_output");
}

function hasFailed({ statuses }: ParsedLog): boolean {
  return [...statuses.values()].some((status) => status === "FAILED" || status === "ERROR");
}

/** v4: texts count wherever they stand; a part without results makes way for the whole log. */
export function readV4(raw: string, parse: LogParser): Reading {
  const log = universalNewlines(raw);
  const failure = failures.find(({ text }) => log.includes(text));
  if (failure) return refuse(failure.refusal);
  if (!(log.includes(startOfTests) && log.includes(endOfTests))) return unmarked(log);
  const inside = parse(log.split(startOfTests, 2)[1]?.split(endOfTests, 1)[0] ?? "");
  const parsed = inside?.statuses.size === 0 ? parse(log) : inside;
  return parsed ? { refusal: null, parsed } : refuse("parser_failed");
}

/** v5: results, or a sign that tests ran; and the first exit code in the log agrees with them. */
export function readV5(raw: string, parse: LogParser): Reading {
  const reading = readV4(raw, parse);
  if (reading.refusal !== null) return reading;
  const { parsed } = reading;
  const log = universalNewlines(raw);
  if (parsed.statuses.size === 0) return testsRan(log) ? reading : refuse("no_results");
  const code = firstExitCode.exec(log)?.[1];
  const failed = code !== undefined && Number(code) !== 0;
  return failed && !hasFailed(parsed) ? refuse("exit_code") : reading;
}

/** Lines on which a marker stands; a traced `echo` and what it prints are one. */
function markerLines(
  lines: readonly string[],
  marker: string,
): readonly (readonly [number, number])[] {
  const runs: [first: number, last: number][] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.includes(marker)) continue;
    const run = runs.at(-1);
    const echoed = run?.[1] === at - 1 && run[0] === run[1] && line.trim() === marker;
    if (run && echoed) run[1] = at;
    else runs.push([at, at]);
  }
  return runs;
}

/**
 * Ours: the tests' part is marked once, only it is parsed, and nothing that tests print counts as
 * the harness's own word: failures are told outside it, exit codes after it, and any that is not 0
 * counts.
 */
export function readStrict(raw: string, parse: LogParser): Reading {
  const lines = universalNewlines(raw).split("\n");
  const [starts, ends] = [markerLines(lines, startOfTests), markerLines(lines, endOfTests)];
  const [from, to] = [starts[0]?.[1], ends[0]?.[0]];
  const marked = from !== undefined && to !== undefined && from < to;
  const outside = marked ? [...lines.slice(0, from), ...lines.slice(to + 1)] : lines;
  const failure = failures.find(({ text }) => outside.some((line) => line.startsWith(text)));
  if (failure) return refuse(failure.refusal);
  if (starts.length > 1 || ends.length > 1) return refuse("repeated_markers");
  if (!marked) return unmarked(raw);
  const parsed = parse(lines.slice(from + 1, to).join("\n"));
  if (!parsed || parsed.statuses.size === 0) return refuse("no_results");
  const codes = lines.slice(to + 1).filter((line) => line.startsWith(exitCodeMark));
  const failed = codes.some((line) => !/^0*$/.test(line.slice(exitCodeMark.length).trim()));
  return failed && !hasFailed(parsed) ? refuse("exit_code") : { refusal: null, parsed };
}
