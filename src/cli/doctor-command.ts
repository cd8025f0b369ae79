import { Command } from "@commander-js/extra-typings";
import { addExamples } from "./help-examples.ts";
import type { Io } from "./io.ts";

const append = (value: string, list: readonly string[]) => [...list, value];

/** `pmcoder doctor`; `done` takes the exit status. */
export function doctorOf(io: Io, done: (code: number) => void) {
  const command = new Command("doctor")
    .description("Say what a run needs, what is missing here, and the command that gets it.")
    .option("-c, --config <file|key=value>", "configuration, repeatable, left to right", append, [])
    .option("--state <dir>", "where runs are kept (default: .pmcoder, or PMCODER_STATE)")
    .option("--clean", "remove the containers that dead runs of this machine left")
    .option("--json", "one JSON object a line on standard output")
    .action(async (flags) => {
      const { runDoctor } = await import("./run-doctor.ts");
      if (!flags.clean) return done(await runDoctor(flags, io));
      const { cleanContainers } = await import("./clean-containers.ts");
      done(await cleanContainers(flags, io));
    });
  return addExamples(command, [
    { line: "pmcoder doctor", does: "before the first run" },
    { line: "pmcoder doctor -c environment.kind=docker", does: "would a run with Docker work?" },
    { line: "pmcoder doctor --clean", does: "after runs in Docker were killed" },
  ]);
}
