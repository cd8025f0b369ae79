import { Command } from "@commander-js/extra-typings";
import { PmcoderError } from "../domain/errors.ts";
import { addExamples } from "./help-examples.ts";
import type { Io } from "./io.ts";

const append = (value: string, list: readonly string[]) => [...list, value];

/** `pmcoder doctor`; `done` takes the exit status. */
export function doctorOf(io: Io, done: (code: number) => void) {
  const command = new Command("doctor")
    .description("Say what a run needs, what is missing here, and the command that gets it.")
    .option("-c, --config <file|key=value>", "configuration, repeatable, left to right", append, [])
    .option("--state <dir>", "where runs are kept (default: .pmcoder, or PMCODER_STATE)")
    .option("--clean", "remove what dead runs left: containers, and working copies nothing needs")
    .option("--all", "with --clean: also the working copies that pmcoder resume could go on from")
    .option("--json", "one JSON object a line on standard output")
    .action(async (flags) => {
      if (flags.clean) {
        const { clean } = await import("./clean.ts");
        return done(await clean(flags, io));
      }
      if (flags.all)
        throw new PmcoderError("usage", "--all says what --clean removes: add --clean.");
      const { runDoctor } = await import("./run-doctor.ts");
      done(await runDoctor(flags, io));
    });
  return addExamples(command, [
    { line: "pmcoder doctor", does: "before the first run" },
    { line: "pmcoder doctor -c environment.kind=docker", does: "would a run with Docker work?" },
    { line: "pmcoder doctor --clean", does: "after runs were killed" },
  ]);
}
