import { Command, Option } from "@commander-js/extra-typings";
import { addExamples } from "../help-examples.ts";
import type { Io } from "../io.ts";
import { positive, whole } from "../run-command.ts";

/** `eval grade`: what it takes. */
const gradeCommandLine = () =>
  new Command("grade")
    .description(
      "Run the tests of what has not been graded yet, in a fresh container each, and write reports as SWE-bench does.",
    )
    .argument("[dir]", "the output folder of an experiment")
    .option("--predictions <file>", "grade these instead: preds.json, or JSON lines")
    .option("--dataset <file>", "their instances; for an experiment: where its rows are now")
    .option("--output <dir>", "where logs and reports of --predictions go")
    .option("--run-id <id>", "of --predictions, for the official layout (default: pmcoder)")
    .option("--gold", "check the grader: gold patches must resolve, untouched bases must not")
    .option("--filter <regex>", "only instances whose id matches")
    .option("--regrade", "judge the stored logs again; no tests are run")
    .addOption(
      new Option(
        "--generation <rules>",
        "whose rules decide (default: the experiment's, or v5)",
      ).choices(["v4", "v5", "strict"] as const),
    )
    .addOption(
      new Option("--harness <name>", "who runs the tests (default: pmcoder)").choices([
        "pmcoder",
        "official",
      ] as const),
    )
    .option(
      "--python <file>",
      "a Python that has swebench (default: that of PMCODER_PEERS, python3)",
    )
    .option("--no-cache", "run the tests of equal patches again")
    .addOption(
      new Option(
        "--environment <kind>",
        "where tests run (default: in the image of a row)",
      ).choices(["docker", "bubblewrap", "local"] as const),
    )
    .addOption(
      new Option(
        "--network <state>",
        "network for tests (default: on, as SWE-bench has it)",
      ).choices(["on", "off"] as const),
    )
    .option("--timeout <seconds>", "time for the tests of a patch (default: 1800)", positive)
    .option("--workers <n>", "test runs at once (default: 4)", whole)
    .option("--yes", "run tests without a sandbox too")
    .option("--json", "each grading and each report on standard output, one JSON object a line");

export type EvalGradeFlags = ReturnType<ReturnType<typeof gradeCommandLine>["opts"]>;

/** `pmcoder eval grade`. */
export function gradeOf(io: Io, done: (code: number) => void) {
  const command = gradeCommandLine().action(async (folder, flags) => {
    const { gradeAll } = await import("./grade.ts");
    done(await gradeAll(folder, flags, io));
  });
  return addExamples(command, [
    { line: "pmcoder eval grade verified", does: "what eval run has left ungraded" },
    {
      line: "pmcoder eval grade --predictions preds.json --dataset verified --output graded",
      does: "the predictions of any agent",
    },
    {
      line: "pmcoder eval grade verified --regrade --generation v4",
      does: "the stored logs under the older rules",
    },
    {
      line: "pmcoder eval grade --gold --dataset verified --filter sympy --output gold",
      does: "is the grader sound on this machine?",
    },
  ]);
}
