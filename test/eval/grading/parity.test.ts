import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grade } from "../../../src/eval/grading/grade.ts";
import { instanceReport } from "../../../src/eval/grading/instance-report.ts";
import { logParsers, type ParserName, parserOf } from "../../../src/eval/grading/log-parsers.ts";
import { statusOf } from "../../../src/eval/grading/status.ts";
import { capable } from "../../capabilities.ts";
import { anyLog, anyRow, marked, rowFor } from "./log-lines.ts";
import { hasOfficial, type LoggedCase, type OfficialGeneration, official } from "./official.ts";

const data = process.env["PMCODER_DATA"] ?? "";
const generations: readonly OfficialGeneration[] = ["v4", "v5"];

/** Ours against theirs: the parser on the text, and the report on a file that holds it. */
function expectParity(cases: readonly LoggedCase[], generation: OfficialGeneration): void {
  const theirs = official(generation, { logs: cases }).graded.map(({ statuses, report }) => ({
    statuses: statuses?.map(([name, status]) => [name, statusOf(status)]) ?? null,
    report,
  }));
  const ours = cases.map(({ log, row }) => {
    const parsed = logParsers[generation][parserOf(row)](log);
    const given = grade(log, row, generation);
    return {
      statuses: parsed && [...parsed.statuses],
      report: given.refusal === "parser_failed" ? null : instanceReport(given),
    };
  });
  // The first case that differs is shown; thousands that agree are compared once, as text.
  const differing = cases.findIndex((_, at) => canonical(ours[at]) !== canonical(theirs[at]));
  const shown = cases[differing];
  expect(ours[differing], shown && `${shown.row.log_parser}\n${shown.log}`).toEqual(
    theirs[differing],
  );
  expect(ours).toHaveLength(theirs.length);
}

/** JSON with fields in one order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, field) =>
    field instanceof Object && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}

/** A case that expects every second test that the log tells of, and some of which it does not. */
function caseOf(log: string, parser: ParserName): LoggedCase {
  const names = [...(logParsers.v5[parser](log)?.statuses.keys() ?? [])];
  const some = names.filter((_, index) => index % 2 === 0);
  return { log, row: rowFor(parser, [...some.slice(0, 3), "t.py::gone"], some.slice(3)) };
}

function randomCases(count: number): readonly LoggedCase[] {
  const cases = fc.sample(fc.tuple(anyLog, anyRow), { numRuns: count, seed: 7 });
  return cases.map(([log, row]) => ({ log, row }));
}

function ownCases(): readonly LoggedCase[] {
  const folder = "test/fixtures/eval-logs";
  return readdirSync(folder).map((file) => {
    const parser = file.replace(".log", "").replace("-", "_") as ParserName;
    return caseOf(readFileSync(join(folder, file), "utf8"), parser);
  });
}

/** Each stored log as it is, and marked as today's logs are. */
function publicCases(): readonly LoggedCase[] {
  const folder = join(data, "eval-logs");
  return readdirSync(folder).flatMap((file) => {
    const instance_id = file.slice(0, file.indexOf("."));
    const repo = instance_id.replace(/-\d+$/, "").replace("__", "/");
    const parser = parserOf({ instance_id, repo, log_parser: null });
    const log = gunzipSync(readFileSync(join(folder, file))).toString("utf8");
    const today = marked(log.replaceAll(">>>>> Tests", ""), "1");
    return [caseOf(log, parser), caseOf(today, parser)];
  });
}

describe.runIf(hasOfficial)("grading by the official rules", () => {
  it.each(generations)(
    "equals the official package's on random logs: %s",
    (generation) => {
      expectParity(randomCases(1500), generation);
    },
    240_000,
  );

  it.each(generations)(
    "equals the official package's on our own logs: %s",
    (generation) => {
      const cases = ownCases();
      expect(cases).toHaveLength(7);
      expectParity(cases, generation);
    },
    120_000,
  );

  describe.runIf(capable("data", () => data !== ""))("and public logs", () => {
    it.each(generations)(
      "equals the official package's on each: %s",
      (generation) => {
        const cases = publicCases();
        expect(cases).toHaveLength(168);
        expectParity(cases, generation);
      },
      240_000,
    );
  });
});
