import { describe, expect, it } from "vitest";
import { parserOf } from "../../../src/eval/grading/log-parsers.ts";

describe("parserOf", () => {
  it.each([
    ["astropy/astropy", "pytest_v2"],
    ["django/django", "django"],
    ["matplotlib/matplotlib", "matplotlib"],
    ["mwaskom/seaborn", "seaborn"],
    ["pallets/flask", "pytest"],
    ["psf/requests", "pytest_options"],
    ["pydata/xarray", "pytest"],
    ["pylint-dev/pylint", "pytest_options"],
    ["pytest-dev/pytest", "pytest"],
    ["scikit-learn/scikit-learn", "pytest_v2"],
    ["sphinx-doc/sphinx", "pytest_v2"],
    ["sympy/sympy", "sympy"],
  ])("reads %s as %s", (repo, parser) => {
    expect(parserOf({ instance_id: "a__a-1", repo, log_parser: null })).toBe(parser);
  });

  it.each([
    ["parse_log_scikit", "pytest_v2"],
    ["parse_log_pytest_options", "pytest_options"],
    ["sympy", "sympy"],
  ])("takes the row's word before the repository's: %s", (log_parser, parser) => {
    expect(parserOf({ instance_id: "a__a-1", repo: "django/django", log_parser })).toBe(parser);
  });
});
