import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { plural } from "../../domain/quantities.ts";
import { analyse, materialOf } from "../../eval/report/analysis.ts";
import { markdownOf } from "../../eval/report/markdown.ts";
import { pageOf } from "../../eval/report/page.ts";
import { documentOf } from "../../eval/report/report.ts";
import { bootstrapDefaults } from "../../eval/statistics/resample.ts";
import { writeWhole } from "../../store/files.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { visible } from "../terminal-text.ts";
import { root } from "../version.ts";
import type { EvalReportFlags } from "./report-command.ts";
import { readReportSource } from "./report-source.ts";

/** Style of the page, as it travels with the package: that of all pages, and what a report adds. */
function readStyle(): string {
  const text = (...path: readonly string[]) => readFileSync(join(root, "assets", ...path), "utf8");
  return `${text("viewer", "base.css")}\n${text("report", "report.css")}`;
}

/**
 * Writes the report of an experiment and tells its results in a few lines. Returns the exit status.
 * Throws PmcoderError `usage` when the folder holds no experiment or lacks a named arm.
 */
export function reportExperiment(
  folder: string,
  { output, baseline, treatment, resamples, json }: EvalReportFlags,
  io: Io,
): ExitCode {
  const bootstrap = { ...bootstrapDefaults, ...(resamples === undefined ? {} : { resamples }) };
  const source = readReportSource(folder, io.cwd);
  io.stderr.write(`${plural(source.results.length, "result")} in ${visible(folder)}\n`);
  const analysis = analyse(materialOf(source, { baseline, treatment, bootstrap }));
  const report = documentOf(analysis);
  const place = resolve(io.cwd, output ?? folder);
  const files = { markdown: join(place, "report.md"), page: join(place, "report.html") };
  writeWhole(files.markdown, markdownOf(report));
  writeWhole(files.page, pageOf(report, readStyle()));
  if (json) io.stdout.write(`${JSON.stringify({ ...analysis, files })}\n`);
  const lines = [
    ...report.warnings.map((warning) => `note: ${warning}`),
    ...report.summary,
    files.markdown,
    files.page,
  ];
  for (const line of lines) io.stderr.write(`${visible(line)}\n`);
  return 0;
}
