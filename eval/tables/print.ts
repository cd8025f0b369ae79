import { readReportSource } from "../../src/cli/eval/report-source.ts";
import { PmcoderError } from "../../src/domain/errors.ts";
import { type Material, materialOf } from "../../src/eval/report/analysis.ts";
import type { Table } from "../../src/eval/report/document.ts";
import { tableMarkdown } from "../../src/eval/report/markdown.ts";

/**
 * Prints tables of the experiments whose output folders the command line names, as Markdown. With
 * no folder, or one that is none, it says so and the exit status is 2.
 */
export function printTables(tablesOf: (materials: readonly Material[]) => readonly Table[]): void {
  const [, script = "", ...folders] = process.argv;
  try {
    if (folders.length === 0) {
      throw new PmcoderError(
        "usage",
        `Usage: npx tsx ${script} DIR…, output folders of pmcoder eval run.`,
      );
    }
    const materials = folders.map((folder) => materialOf(readReportSource(folder, process.cwd())));
    process.stdout.write(`${tablesOf(materials).map(tableMarkdown).join("\n\n")}\n`);
  } catch (error) {
    if (!(error instanceof PmcoderError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}

/** The headline pair's numbers, or nothing where an experiment has a single arm. */
export function headlinesOf<Numbers>(
  { pairs }: Material,
  of: (pair: NonNullable<Material["pairs"]["headline"]>) => Numbers,
): readonly Numbers[] {
  return pairs.headline === null ? [] : [of(pairs.headline)];
}
