import { describe, expect, it } from "vitest";
import type { EpisodeResult } from "../../../src/eval/batch/episode-result.ts";
import { analyse, materialOf } from "../../../src/eval/report/analysis.ts";
import type { Table } from "../../../src/eval/report/document.ts";
import { documentOf } from "../../../src/eval/report/report.ts";
import type { ReportSource } from "../../../src/eval/report/source.ts";
import { patternRows, totalRows } from "../statistics/outcome-rows.ts";
import { resultOf, sourceOf } from "./report-source.ts";

const bootstrap = { resamples: 100, seed: 1 };

const reported = (results: readonly EpisodeResult[], fields: Partial<ReportSource> = {}) => {
  const analysis = analyse(materialOf(sourceOf(results, fields), { bootstrap }));
  const report = documentOf(analysis);
  const tables = new Map(
    report.sections.flatMap(({ tables: own }) => own.map((table) => [table.id, table])),
  );
  return { analysis, report, tables };
};

/** A cell by the name of its row and of its column. */
function cell(table: Table | undefined, row: string, column: string): string | undefined {
  const at = table?.columns.findIndex(({ name }) => name === column) ?? -1;
  return table?.rows.find(([name]) => name === row)?.[at];
}

const arms = ["baseline", "plan-only", "memory-only", "full"];

describe("the factorial", () => {
  it("says why there is none where arms have different numbers of seeds", () => {
    const results = arms.flatMap((arm) =>
      patternRows(arm, arm === "full" ? ["10", "11"] : ["100", "110"]).map(resultOf),
    );
    const { report, tables } = reported(results);
    const [text] = report.sections.find(({ id }) => id === "factorial")?.text ?? [];
    expect(text).toContain("There is no analysis of variance yet.");
    expect(text).toContain("they have 3 and 2 runs");
    expect(tables.has("factorial-effects")).toBe(false);
    expect(report.warnings.join(" ")).toContain("Arms have different instances or seeds");
  });

  it("has no F where nothing varies between runs", () => {
    const results = arms.flatMap((arm) => patternRows(arm, ["11", "00"]).map(resultOf));
    const table = reported(results).tables.get("factorial-effects");
    expect(cell(table, "plan × memory", "F")).toBe("–");
    expect(table?.notes[0]).toContain("without a test: nothing varies between runs");
  });
});

describe("what makes numbers less than they seem", () => {
  const results = totalRows("baseline", [1], 30).map(resultOf);
  const image = (id: string) => ({ name: "image", id, digest: null });
  const uneven = patternRows("full", ["11", "1"]).map(resultOf);

  it.each<[string, readonly EpisodeResult[], Partial<ReportSource>]>([
    [
      "1 result of jobs that are not planned",
      results,
      { jobs: results.slice(1).map(({ job }) => job) },
    ],
    [
      "does not accept the own patch of i001",
      results,
      { gold: [{ instance: "i001", resolved: null, remark: "no log", seconds: 1 }] },
    ],
    [
      "Episodes of i001 ran in different images.",
      patternRows("full", ["11"]).map((row) =>
        resultOf({ ...row, image: image(`id-${row.seed}`) }),
      ),
      {},
    ],
    ["With 1 instance, intervals and p", patternRows("full", ["11"]).map(resultOf), {}],
    ["No episode is planned.", results, { jobs: [] }],
    ["Seeds of full have different instances:", uneven, {}],
  ])("is said: %s", (warning, rows, fields) => {
    expect(reported(rows, fields).report.warnings.join("\n")).toContain(warning);
  });

  it("is seen in the runs that have not all instances", () => {
    const { tables } = reported([...results, ...uneven]);
    const cells = ["seed 1", "seed 2"].map((seed) => cell(tables.get("resolved"), "full", seed));
    expect(cells).toEqual(["2", "1 of 1"]);
    expect(cell(tables.get("resolved"), "baseline", "seed 1")).toBe("1");
  });

  it("are malformed rows that are in no count", () => {
    const { workshop } = sourceOf(results);
    const { tables } = reported(results, { workshop: workshop && { ...workshop, leftOut: 2 } });
    expect(cell(tables.get("provenance"), "instances", "is")).toBe(
      "30 of the dataset's 500; 2 malformed rows left out",
    );
  });

  it("is nothing where all is judged and alike", () => {
    expect(reported(results).report.warnings).toEqual([]);
  });
});

describe("what it takes", () => {
  it("counts money by attempt, and episodes that were given up only as spent", () => {
    const [first, second, third] = patternRows("full", ["100"]).map(resultOf);
    if (!(first && second && third)) throw new Error("Three episodes were made.");
    const results = [
      { ...first, cost: 1, spent: 1.5, injected: { blocks: 2, tokens: 500 } },
      { ...second, cost: 3, spent: 3 },
      { ...third, cost: null, spent: 0.5, resolved: null, givenUp: true, calls: null },
    ];
    const table = reported(results).tables.get("effort");
    expect(cell(table, "full", "cost")).toBe("$2.00");
    expect(cell(table, "full", "spent in all")).toBe("$5.00");
    expect(cell(table, "full", "spent per resolved")).toBe("$5.00");
    expect(cell(table, "full", "tokens injected")).toBe("500");
    expect(table?.notes.join(" ")).toContain("The cost of 1 episode is not known");
  });
});

describe("phases and recoveries", () => {
  it("are means over episodes that have a plan", () => {
    const phases = (...steps: readonly [number, number, number]): EpisodeResult["phases"] => [
      { phase: "explore", steps: steps[0] },
      { phase: "implement", steps: steps[1] },
      { phase: "explore", steps: steps[2] },
    ];
    const results = patternRows("full", ["1", "0"]).map((row, at) =>
      resultOf({ ...row, phases: at === 0 ? phases(3, 4, 1) : phases(6, 2, 0), backtracks: at }),
    );
    const alone = patternRows("baseline", ["0", "0"]).map(resultOf);
    const table = reported([...results, ...alone]).tables.get("phases");
    const row = (arm: string) =>
      ["explore", "hypothesize", "implement", "steps in all"].map((name) => cell(table, arm, name));
    expect(row("full")).toEqual(["5.0", "0.0", "3.0", "40.0"]);
    expect(row("baseline")).toEqual(["–", "–", "–", "40.0"]);
    expect(cell(table, "full", "backtracks")).toMatch(/^0\.50 /);
  });
});

describe("episodes that looked at the future", () => {
  it("are counted by arm, with the commands where they are listed", () => {
    const results = patternRows("full", ["1", "0"]).map((row) => resultOf({ ...row, peeks: 2 }));
    const peek = { step: 3, command: "git log --all", reason: "other branches" };
    const peeks = new Map([["full/seed-1/i001", [peek, { ...peek, step: 9 }]]]);
    const { tables } = reported(results, { peeks });
    expect(tables.get("guard")?.rows).toEqual([["full", "2", "1"]]);
    expect(tables.get("peeks")?.rows).toEqual([
      ["i001", "full", "1", "3", "yes", "other branches", "git log --all"],
      ["i001", "full", "1", "9", "yes", "other branches", "git log --all"],
      ["i002", "full", "1", "", "no", "2 commands", ""],
    ]);
  });
});
