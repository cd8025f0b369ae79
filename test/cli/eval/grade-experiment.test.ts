import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readGold, readResults } from "../../../src/cli/eval/results.ts";
import { pmcoder, readText } from "../run-world.ts";
import { gradeWorld, instances, ranExperiment, reportIn } from "./grade-world.ts";
import { jsonLines, resultLines } from "./world.ts";

const [mended = "", unmended = ""] = instances;

describe("pmcoder eval grade DIR", () => {
  it("grades what a batch has left ungraded, and keeps the results up to date", async () => {
    const at = gradeWorld();
    const folder = await ranExperiment(at);
    const before = resultLines(folder);
    expect(before.map(({ resolved }) => resolved)).toEqual([true, true, true, true]);
    const ungraded = before.map((result) => ({ ...result, resolved: null, grading: null }));
    const text = ungraded.map((result) => `${JSON.stringify(result)}\n`).join("");
    writeFileSync(join(folder, "results.jsonl"), text);
    rmSync(join(folder, "logs"), { recursive: true });
    const { code, err } = await pmcoder(at, ["eval", "grade", folder, "--yes"]);
    expect([code, err]).toEqual([0, expect.stringContaining("4/4  trial.baseline.seed-")]);
    const lines = resultLines(folder);
    expect(lines).toHaveLength(8);
    expect(lines.slice(4).map(({ resolved }) => resolved)).toEqual([true, true, true, true]);
    for (const seed of [1, 2]) {
      const id = `trial.baseline.seed-${seed}`;
      expect(reportIn(at, `${id}.${id}.json`).resolved_ids).toEqual([mended, unmended]);
    }
    await pmcoder(at, ["eval", "grade", folder, "--yes"]);
    expect(resultLines(folder)).toHaveLength(8);
  });

  it("takes what other hosts graded, whose logs are there", async () => {
    const at = gradeWorld();
    const folder = await ranExperiment(at);
    rmSync(join(folder, "logs"), { recursive: true });
    const { code, err } = await pmcoder(at, ["eval", "grade", folder]);
    expect([code, err]).toEqual([0, expect.stringContaining("4 of 4 were known before")]);
    const id = "trial.baseline.seed-1";
    expect(reportIn(at, `${id}.${id}.json`).resolved_ids).toEqual([mended, unmended]);
    const regraded = await pmcoder(at, ["eval", "grade", folder, "--regrade"]);
    expect([regraded.code, regraded.err]).toEqual([
      1,
      expect.stringContaining("no verdict: there is no log of its tests"),
    ]);
    expect(resultLines(folder)).toHaveLength(4);
  });

  it("says the same of the stored logs", async () => {
    const at = gradeWorld();
    const folder = await ranExperiment(at);
    const before = readText(folder, "results.jsonl");
    expect(await pmcoder(at, ["eval", "grade", folder, "--regrade"])).toMatchObject({ code: 0 });
    expect(readText(folder, "results.jsonl")).toBe(before);
  });

  it("keeps the time that the tests took when it judges their logs by other rules", async () => {
    const at = gradeWorld();
    const folder = await ranExperiment(at);
    const gradings = () => [
      ...[...readResults(folder).values()].map(({ grading }) => grading),
      ...readGold(folder).values(),
    ];
    const seconds = () => gradings().map((grading) => grading?.seconds ?? 0);
    const before = seconds();
    expect(before).toHaveLength(6);
    expect(Math.min(...before)).toBeGreaterThan(0);
    await pmcoder(at, ["eval", "grade", folder, "--gold", "--regrade", "--generation", "v4"]);
    expect(gradings().map((grading) => grading?.generation)).toEqual(Array(6).fill("v4"));
    expect(seconds()).toEqual(before);
  });

  it("tells the report whose rules its verdicts stand on", async () => {
    const at = gradeWorld();
    const folder = await ranExperiment(at);
    const graders = async () => {
      const { out } = await pmcoder(at, ["eval", "report", folder, "--json", "--resamples", "9"]);
      return JSON.parse(out).provenance.grading.graders;
    };
    const one = expect.stringMatching(/^pmcoder .*, rules of v5$/);
    const other = expect.stringMatching(/^pmcoder .*, rules of v4$/);
    expect(await graders()).toEqual([one]);
    const older = { ...resultLines(folder)[0], grading: { remark: null, seconds: 1 } };
    writeFileSync(
      join(folder, "results.jsonl"),
      `${readText(folder, "results.jsonl")}${JSON.stringify(older)}\n`,
    );
    await pmcoder(at, ["eval", "grade", folder, "--regrade", "--generation", "v4"]);
    expect(resultLines(folder).slice(5)).toMatchObject(
      Array.from({ length: 4 }, () => ({ resolved: true, grading: { generation: "v4" } })),
    );
    // The gold patches were graded by the experiment's rules.
    expect(await graders()).toEqual([other, one]);
    expect(readText(folder, "report.md")).toMatch(
      /not all by one grader .*v4; .*v5\. .*with --gold those of gold/,
    );
    await pmcoder(at, ["eval", "grade", folder, "--regrade"]);
    expect(await graders()).toEqual([one]);
  });

  it("takes no verdict by other rules for one by its own", async () => {
    const at = gradeWorld();
    const folder = await ranExperiment(at);
    await pmcoder(at, ["eval", "grade", folder, "--regrade", "--generation", "v4"]);
    rmSync(join(folder, "logs"), { recursive: true });
    const { code, err } = await pmcoder(at, ["eval", "grade", folder, "--yes"]);
    expect([code, err]).toEqual([0, expect.not.stringContaining("known before")]);
    const generations = resultLines(folder).map(({ grading }) => grading?.generation);
    expect(generations.slice(-4)).toEqual(["v5", "v5", "v5", "v5"]);
  });

  it("checks the grader on the experiment's instances", async () => {
    const at = gradeWorld();
    const folder = await ranExperiment(at);
    rmSync(join(folder, "gold.jsonl"));
    const { code, err } = await pmcoder(at, ["eval", "grade", folder, "--gold", "--yes"]);
    expect([code, err]).toEqual([0, expect.stringContaining("the grader is sound on 2 instances")]);
    const gold = jsonLines(readText(folder, "gold.jsonl"));
    expect(gold.map(({ instance, resolved }) => [instance, resolved]).sort()).toEqual([
      [mended, true],
      [unmended, true],
    ]);
  });

  it("refuses rows that the results were not made with", async () => {
    const at = gradeWorld();
    const folder = await ranExperiment(at);
    const rows = readFileSync(at.dataset, "utf8").replace(
      "The answer is wrong",
      "Wrong is the answer",
    );
    writeFileSync(at.dataset, rows);
    const { code, err } = await pmcoder(at, ["eval", "grade", folder, "--yes"]);
    expect([code, err]).toEqual([2, expect.stringContaining("has other rows than those that")]);
  });
});
