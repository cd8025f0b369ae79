import { Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { addExamples } from "./help-examples.ts";
import type { Io } from "./io.ts";

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new InvalidArgumentError("Expected a number from 0 to 65535.");
}

const append = (value: string, list: string[]) => [...list, value];

/** The command line of `pmcoder view`: what it takes, and nothing of what it does. */
const viewCommandLine = () =>
  new Command("view")
    .description(
      "Look into runs and trajectories in a browser: phases, plan, memory, what was recalled and why.",
    )
    .argument(
      "[what...]",
      "a run (id, prefix, last, output folder), a trajectory file, or a folder of either (default: all runs)",
    )
    .option("--export <file>", "write one self-contained page, of an episode or of two to compare")
    .option("--instance <id>", "only this episode of the files")
    .option("--port <n>", "where to serve (default: a free port)", portOf)
    .option("--state <dir>", "where runs are kept (default: .pmcoder, or PMCODER_STATE)")
    .option("--json", "the address, or the file written, as JSON on standard output")
    .option(
      "-c, --config <file|key=value>",
      "how plan and memory are replayed where they were off, repeatable (default: everything on)",
      append,
      [],
    );

export type ViewFlags = ReturnType<ReturnType<typeof viewCommandLine>["opts"]>;

/** `pmcoder view`: pages over runs and trajectories. */
export function viewOf(io: Io, done: (code: number) => void) {
  const command = viewCommandLine().action(async (what, flags) => {
    const { viewCommand } = await import("./view.ts");
    done(await viewCommand(what, flags, io));
  });
  return addExamples(command, [
    { line: "pmcoder view", does: "all runs of this repository, until Ctrl-C" },
    { line: "pmcoder view last", does: "the newest run, live while it runs" },
    {
      line: "pmcoder view runs/*.traj.json.gz",
      does: "anyone's trajectories: what plan and memory would have said",
    },
    {
      line: "pmcoder view a.traj.json b.traj.json --export parting.html",
      does: "two episodes side by side, as one file",
    },
  ]);
}
