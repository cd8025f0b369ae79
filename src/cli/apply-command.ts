import { resolve } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { addExamples } from "./help-examples.ts";
import type { Io } from "./io.ts";

/** `pmcoder apply`: a run's patch onto the user's own tree. */
export function applyOf(io: Io, done: (code: number) => void) {
  const command = new Command("apply")
    .description("Apply a run's patch to your repository; nothing is committed.")
    .argument("<run>", "an id, a prefix of one, last, or an output folder")
    .option("--check", "only say whether it applies")
    .option("--branch <name>", "on a new branch")
    .option("--three-way", "merge where the tree has moved on; conflicts are marked")
    .option("--repo <dir>", "the repository (default: the current one)")
    .option("--state <dir>", "where runs are kept (default: .pmcoder, or PMCODER_STATE)")
    .action(async (run, flags) => {
      const { patchOf } = await import("./find-run.ts");
      const { applyPatch } = await import("./apply.ts");
      const outcome = await applyPatch({
        patchFile: await patchOf(run, flags.state, io),
        repo: resolve(io.cwd, flags.repo ?? "."),
        check: flags.check === true,
        branch: flags.branch,
        threeWay: flags.threeWay === true,
      });
      io.stderr.write(`${outcome.text}\n`);
      done(outcome.exitCode);
    });
  return addExamples(command, [
    { line: "pmcoder apply last --check", does: "would the newest run's patch apply?" },
    { line: "pmcoder apply 20261130-14 --branch fix-minutes", does: "on a branch of its own" },
  ]);
}
