import { Command } from "@commander-js/extra-typings";
import { addExamples } from "./help-examples.ts";
import type { Io } from "./io.ts";
import { positive, whole } from "./run-command.ts";
import { breakpoint, confirm, debug, json, view, yes } from "./session-options.ts";

const resumeCommandLine = () =>
  new Command("resume")
    .description("Go on with a run that was interrupted, killed, or stopped at a limit.")
    .argument("<run>", "an id, a prefix of one, last, or an output folder")
    .option("--step-limit <n>", "model calls of the whole run", whole)
    .option("--cost-limit <dollars>", "money for model calls of the whole run", positive)
    .option("--time-limit <seconds>", "time at work of the whole run", positive)
    .option("--record <file>", "write the model's further replies to a cassette")
    .option("--state <dir>", "where runs are kept (default: .pmcoder, or PMCODER_STATE)")
    .addOption(yes)
    .addOption(confirm)
    .addOption(view)
    .addOption(debug)
    .addOption(breakpoint)
    .addOption(json);

export type ResumeFlags = ReturnType<ReturnType<typeof resumeCommandLine>["opts"]>;

/** `pmcoder resume`: another process goes on with a run. */
export function resumeOf(io: Io, done: (code: number) => void) {
  const command = resumeCommandLine().action(async (run, flags) => {
    const { resumeRun } = await import("./resume.ts");
    done(await resumeRun(run, flags, io));
  });
  return addExamples(command, [
    { line: "pmcoder resume last", does: "the newest run, from the step where it stopped" },
    { line: "pmcoder resume 20261130-14 --step-limit 400", does: "further than its limit was" },
    {
      line: "pmcoder resume last --debug --view",
      does: "command by command, with its page beside",
    },
  ]);
}
