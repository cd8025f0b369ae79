import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { jobFolder } from "../../../src/cli/eval/places.ts";
import { writeRecord } from "../../../src/cli/eval/record.ts";
import { reportOf } from "../../../src/cli/eval/report-command.ts";
import { readReportSource } from "../../../src/cli/eval/report-source.ts";
import { writeResults } from "../../../src/cli/eval/results.ts";
import { resultOf, sourceOf } from "../../eval/report/report-source.ts";
import { richResults } from "../../eval/report/rich-results.ts";
import { totalRows } from "../../eval/statistics/outcome-rows.ts";
import { runCommand } from "../run-command-in.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** An output folder as `pmcoder eval run` leaves it. */
function experimentFolder(results: ReturnType<typeof richResults>): string {
  const home = temporaryFolder();
  const folder = join(home, "out");
  const { experiment, declaration, jobs, created, version } = sourceOf(results);
  writeRecord(folder, {
    format: "pmcoder-experiment-1",
    key: "demo-1",
    store: "sqlite",
    dataset: join(home, "rows.jsonl"),
    ...{ created, version, experiment },
    declaration: { ...declaration, arms: { ...declaration.arms } },
    jobs: [...jobs],
  });
  writeResults(folder, results);
  return home;
}

const report = (home: string, ...args: readonly string[]) => runCommand(reportOf, { home, args });

const published = [
  ...totalRows("baseline", [139, 144, 144], 500),
  ...totalRows("full", [170, 164, 168], 500),
].map(resultOf);

describe("pmcoder eval report", () => {
  it("writes Markdown and a page, and tells the results", async () => {
    const home = experimentFolder(published);
    const { codes, out, err } = await report(home, "out", "--resamples", "100");
    expect([codes, out]).toEqual([[0], ""]);
    expect(err.replaceAll(home, "HOME")).toMatchInlineSnapshot(`
      "3000 results in out
      Resolved of 500 instances, mean over the runs: baseline 142.3 (28.5 %), full 167.3 (33.5 %).
      full against baseline: +25.0 instances (+18.8 to +34.5), +5.0 points, p < .02.
      HOME/out/report.md
      HOME/out/report.html
      "
    `);
    expect(readFileSync(join(home, "out", "report.md"), "utf8")).toContain(
      "| full against baseline | +31 | +20 | +24 | +25.0 |",
    );
    expect(readFileSync(join(home, "out", "report.html"), "utf8")).toContain("+25.0 instances");
  });

  it("gives all numbers as one JSON object, and leaves the folder alone where asked to", async () => {
    const home = experimentFolder(richResults(12, ["baseline", "full"], 2));
    const args = ["out", "--json", "--output", "report", "--resamples", "50"];
    const { codes, out } = await report(home, ...args);
    expect(codes).toEqual([0]);
    const numbers = JSON.parse(out);
    expect(out.trimEnd()).not.toContain("\n");
    expect(numbers.arms.map(({ arm }: { arm: string }) => arm)).toEqual(["baseline", "full"]);
    expect(numbers.provenance.bootstrap).toEqual({ resamples: 50, seed: 1 });
    expect(numbers.files).toEqual({
      markdown: join(home, "report", "report.md"),
      page: join(home, "report", "report.html"),
    });
    expect(existsSync(join(home, "out", "report.md"))).toBe(false);
  });

  it("reports an experiment that is under way, its newest line half written", async () => {
    const home = experimentFolder(published.slice(0, 100));
    const file = join(home, "out", "results.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, `${lines.slice(0, 60).join("\n")}\n${lines[60]?.slice(0, 50)}`);
    const { codes, err } = await report(home, "out", "--resamples", "10");
    expect(codes).toEqual([0]);
    expect(err).toContain("note: No verdict for 40 of 100 planned episodes (not ended 40,");
  });

  it.each([
    [["nothing-here"], "nothing-here holds no experiment"],
    [["out", "--baseline", "bseline"], "There is no arm bseline in this experiment"],
  ])("refuses %j", async (args, message) => {
    const home = experimentFolder(published.slice(0, 10));
    await expect(report(home, ...args)).rejects.toThrow(message);
    expect(existsSync(join(home, "out", "report.md"))).toBe(false);
  });

  it("reads the commands that looked at the future from the runs' summaries", () => {
    const about = { instance: "a", arm: "full", resolved: true, peeks: 1 };
    const [listed, unlisted] = [1, 2].map((seed) => resultOf({ ...about, seed }));
    const home = experimentFolder([listed, unlisted].flatMap((one) => one ?? []));
    const summary = jobFolder(join(home, "out"), { ...about, seed: 1 });
    const peek = { step: 4, command: "git log --all", reason: "other branches" };
    mkdirSync(summary, { recursive: true });
    writeFileSync(join(summary, "summary.json"), JSON.stringify({ guard: [peek] }));
    expect([...readReportSource("out", home).peeks.values()]).toEqual([[peek], []]);
  });
});

describe("the scripts of the paper's tables", () => {
  const run = promisify(execFile);
  const table = (n: number, ...folders: readonly string[]) =>
    run(process.execPath, ["--import", "tsx", `eval/tables/table-${n}.ts`, ...folders]);

  it("print them from an output folder", async () => {
    const results = richResults(12, ["baseline", "plan-only", "memory-only", "full"], 2);
    const folder = join(experimentFolder(results), "out");
    const printed = await Promise.all([3, 4, 5, 6, 7, 8].map((n) => table(n, folder)));
    const captions = printed.map(({ stdout }) => [...stdout.matchAll(/^\*\*(.*)\*\*$/gm)]);
    expect(captions.map((found) => found.map(([, caption]) => caption))).toEqual([
      ["Resolved instances by arm and run", "The gain", "McNemar's test, run by run"],
      ["Resolved instances by difficulty"],
      ["What episodes look like from outside"],
      ["The same comparison by model"],
      ["The same comparison by agent and benchmark"],
      ["Resolved instances by what is on: plan and memory", "Effects of the factorial"],
    ]);
  });

  it("say what they cannot read", async () => {
    const failed = await table(8, temporaryFolder()).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 2, stdout: "" });
    expect(failed).toHaveProperty("stderr", expect.stringContaining("holds no experiment"));
  });
});
