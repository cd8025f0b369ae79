import { PmcoderError } from "../../domain/errors.ts";
import { officialDjango } from "./official-django.ts";
import {
  always,
  matplotlibLines,
  nameItself,
  nameWithShortOption,
  pytestTwoWays,
  pytestWholeNames,
  seabornV4,
  seabornV5,
  statusLines,
  unlessSkipCount,
} from "./official-pytest.ts";
import { officialSympy } from "./official-sympy.ts";
import type { LogParser } from "./status.ts";
import { strictDjango } from "./strict-django.ts";
import { strictMatplotlib, strictPytestNames, strictPytestOptions } from "./strict-pytest.ts";
import { strictSympy } from "./strict-sympy.ts";

/**
 * Whose rules grade: SWE-bench 4.1.0, SWE-bench 5.0.2 (each as it is, faults included), or ours,
 * which are those of v5 without their known faults.
 */
export type Generation = "v4" | "v5" | "strict";

/** The parsers that the repositories of SWE-bench Verified need. */
export type ParserName =
  | "django"
  | "matplotlib"
  | "pytest"
  | "pytest_options"
  | "pytest_v2"
  | "seaborn"
  | "sympy";

export type LogParsers = Readonly<Record<ParserName, LogParser>>;

export const logParsers: Readonly<Record<Generation, LogParsers>> = {
  v4: {
    django: officialDjango,
    matplotlib: matplotlibLines(always),
    pytest: statusLines(nameItself, always),
    pytest_options: statusLines(nameWithShortOption, always),
    pytest_v2: pytestTwoWays,
    seaborn: seabornV4,
    sympy: officialSympy,
  },
  v5: {
    django: officialDjango,
    matplotlib: matplotlibLines(unlessSkipCount),
    pytest: statusLines(nameItself, unlessSkipCount),
    pytest_options: statusLines(nameWithShortOption, unlessSkipCount),
    pytest_v2: pytestWholeNames,
    seaborn: seabornV5,
    sympy: officialSympy,
  },
  strict: {
    django: strictDjango,
    matplotlib: strictMatplotlib,
    pytest: strictPytestNames,
    pytest_options: strictPytestOptions,
    pytest_v2: strictPytestNames,
    seaborn: strictPytestNames,
    sympy: strictSympy,
  },
};

/** Each name that a row can give, without `parse_log_`; most are the repository's. */
const parserNames: ReadonlyMap<string, ParserName> = new Map([
  ["astroid", "pytest"],
  ["astropy", "pytest_v2"],
  ["django", "django"],
  ["flask", "pytest"],
  ["marshmallow", "pytest"],
  ["matplotlib", "matplotlib"],
  ["pvlib", "pytest"],
  ["pvlib-python", "pytest"],
  ["pydicom", "pytest_options"],
  ["pylint", "pytest_options"],
  ["pytest", "pytest"],
  ["pytest_options", "pytest_options"],
  ["pytest_v2", "pytest_v2"],
  ["pyvista", "pytest"],
  ["requests", "pytest_options"],
  ["scikit", "pytest_v2"],
  ["scikit-learn", "pytest_v2"],
  ["seaborn", "seaborn"],
  ["sphinx", "pytest_v2"],
  ["sqlfluff", "pytest"],
  ["sympy", "sympy"],
  ["xarray", "pytest"],
]);

export interface ParsedRow {
  readonly instance_id: string;
  readonly repo: string;
  readonly log_parser: string | null;
}

/**
 * The parser of an instance: what its row names (`parse_log_sympy`, `sympy`), else its repository's.
 * Throws PmcoderError `usage` for one that we do not have.
 */
export function parserOf({ instance_id, repo, log_parser }: ParsedRow): ParserName {
  const named = log_parser?.replace(/^parse_log_/, "") ?? repo.slice(repo.lastIndexOf("/") + 1);
  const parser = parserNames.get(named);
  if (parser) return parser;
  const what = log_parser === null ? `the repository ${repo}` : `the log parser ${log_parser}`;
  throw new PmcoderError(
    "usage",
    `${instance_id} needs ${what}, which pmcoder cannot read; it reads ${[...parserNames.keys()].join(", ")}. Grade it with the official harness.`,
  );
}
