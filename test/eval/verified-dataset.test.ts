import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkRows, findRow } from "../../src/eval/dataset.ts";
import { rowsOfText } from "../../src/eval/dataset-text.ts";
import { capable } from "../capabilities.ts";

const folder = process.env["PMCODER_DATA"] ?? "";

describe.runIf(capable("data", () => folder !== ""))("SWE-bench Verified", () => {
  const read = () =>
    rowsOfText(readFileSync(join(folder, "verified.jsonl"), "utf8"), "verified.jsonl");

  it("is 500 well-formed rows, each with tests that must pass", () => {
    const { rows, faults } = checkRows(read());
    expect(faults).toEqual([]);
    expect(rows).toHaveLength(500);
    expect(rows.filter(({ FAIL_TO_PASS }) => !FAIL_TO_PASS?.length)).toEqual([]);
    expect(rows.filter(({ patch, test_patch }) => !patch || !test_patch)).toEqual([]);
  });

  it("gives one row as all rows together do", () => {
    const raw = read();
    const { rows } = checkRows(raw);
    for (const id of ["astropy__astropy-12907", "sympy__sympy-23824", "sympy__sympy-24661"]) {
      expect(findRow(raw, "verified.jsonl", id)).toEqual(
        rows.find(({ instance_id }) => instance_id === id),
      );
    }
  });

  it("answers a mistyped id with the right one", () => {
    expect(() => findRow(read(), "verified.jsonl", "sympy__sympy-2382")).toThrow(
      /nearest of its 500 are sympy__sympy-23824/,
    );
  });
});
