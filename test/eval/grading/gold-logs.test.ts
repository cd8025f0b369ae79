import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { checkRows } from "../../../src/eval/dataset.ts";
import { rowsOfText } from "../../../src/eval/dataset-text.ts";
import { grade } from "../../../src/eval/grading/grade.ts";
import { capable } from "../../capabilities.ts";
import { marked } from "./log-lines.ts";

const data = process.env["PMCODER_DATA"] ?? "";

describe.runIf(capable("data", () => data !== ""))("public logs of gold patches", () => {
  it("resolve their rows of Verified by strict rules where they do by the official ones", () => {
    const file = "verified.jsonl";
    const { rows } = checkRows(rowsOfText(readFileSync(join(data, file), "utf8"), file));
    const byId = new Map(rows.map((row) => [row.instance_id, row]));
    const folder = join(data, "eval-logs");
    const verdicts = readdirSync(folder).flatMap((name) => {
      const row = byId.get(name.slice(0, name.indexOf(".")));
      if (!row) return [];
      const log = gunzipSync(readFileSync(join(folder, name))).toString("utf8");
      const today = marked(log.replaceAll(">>>>> Tests", ""));
      const resolved = (["v4", "v5", "strict"] as const).map(
        (generation) => grade(today, row, generation).resolved,
      );
      return [{ id: row.instance_id, resolved: resolved.map(Number).join("") }];
    });
    // Three were run in environments of another day, in which some of their tests could not pass.
    expect(verdicts.filter(({ resolved }) => resolved !== "111")).toEqual([
      { id: "matplotlib__matplotlib-25311", resolved: "000" },
      { id: "psf__requests-2317", resolved: "000" },
      { id: "pydata__xarray-4094", resolved: "000" },
    ]);
    expect(verdicts).toHaveLength(17);
  });
});
