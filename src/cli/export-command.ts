import { Command } from "@commander-js/extra-typings";
import { addExamples } from "./help-examples.ts";
import type { Io } from "./io.ts";

/** `pmcoder export`: a run for programs that do not read mini-swe-agent's format. */
export function exportOf(io: Io, done: (code: number) => void) {
  const command = new Command("export")
    .description(
      "Write a run as an ATIF-v1.7 trajectory, Harbor's format; trajectory.json in its folder has mini-swe-agent's.",
    )
    .argument("<run>", "an id, a prefix of one, last, or an output folder")
    .option("--output <file>", "where to (default: standard output)")
    .option("--state <dir>", "where runs are kept (default: .pmcoder, or PMCODER_STATE)")
    .action(async (run, flags) => {
      const { exportRun } = await import("./export.ts");
      await exportRun(run, flags, io);
      done(0);
    });
  return addExamples(command, [
    { line: "pmcoder export last --output trajectory.json", does: "the newest run, for Harbor" },
    {
      line: "pmcoder export last | jq '.steps[] | select(.llm_call_count == 0)'",
      does: "what planner and memory made of each turn",
    },
  ]);
}
