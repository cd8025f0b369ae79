import { Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { addExamples } from "../help-examples.ts";
import type { Io } from "../io.ts";

function resamples(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("Expected a whole number from 1.");
}

/** The command line of `pmcoder eval report`: what it takes, and nothing of what it does. */
const reportCommandLine = () =>
  new Command("report")
    .description(
      "Tables and figures of an experiment, finished or not: report.md, and report.html as one page that needs no network.",
    )
    .argument("<dir>", "the folder that was given to pmcoder eval run as --output")
    .option("--output <dir>", "where the report goes (default: that folder)")
    .option("--baseline <arm>", "the arm that others are judged against (default: baseline)")
    .option("--treatment <arm>", "the arm that is looked at in detail (default: full)")
    .option("--resamples <n>", "draws of each bootstrap (default: 10000)", resamples)
    .option("--json", "all numbers as one JSON object on standard output");

export type EvalReportFlags = ReturnType<ReturnType<typeof reportCommandLine>["opts"]>;

/** `pmcoder eval report`. */
export function reportOf(io: Io, done: (code: number) => void) {
  const command = reportCommandLine().action(async (folder, flags) => {
    const { reportExperiment } = await import("./report.ts");
    done(reportExperiment(folder, flags, io));
  });
  return addExamples(command, [
    { line: "pmcoder eval report verified", does: "verified/report.md and verified/report.html" },
    {
      line: "pmcoder eval report ablations --treatment no-grounding --json",
      does: "one arm in detail, and all numbers for a program",
    },
  ]);
}
