import { Command } from "@commander-js/extra-typings";
import { addExamples } from "./help-examples.ts";
import type { Io } from "./io.ts";

const append = (value: string, list: readonly string[]) => [...list, value];

/** `pmcoder config` and `pmcoder config set`; `done` takes the exit status. */
export function configOf(io: Io, done: (code: number) => void) {
  const command = new Command("config")
    .description("Print the configuration that a run would have, every constant with its source.")
    .option("-c, --config <file|key=value>", "configuration, repeatable, left to right", append, [])
    .option("--json", "one JSON object on standard output")
    .action(async (flags) => {
      const { printConfig } = await import("./print-config.ts");
      printConfig({ json: flags.json === true, arguments: flags.config }, io);
      done(0);
    });
  addExamples(command, [
    { line: "pmcoder config -c memory.lambda=0.5", does: "what would hold with this change" },
    { line: "pmcoder config > mine.yaml", does: "a file to edit, for -c mine.yaml" },
  ]);
  command.addCommand(setOf(io, done));
  // Output and exit behaviour are given to `command` after this function has returned.
  return command.hook("preSubcommand", (parent, child) => {
    child.copyInheritedSettings(parent);
  });
}

function setOf(io: Io, done: (code: number) => void) {
  const command = new Command("set")
    .description("Set one key in your own configuration file; comments in it are kept.")
    .argument("<key>", "such as model, agent.stepLimit, memory.lambda")
    .argument("<value>", "in YAML")
    .action(async (key, value) => {
      const { setUserConfig } = await import("./set-config.ts");
      io.stderr.write(`${key} is set in ${setUserConfig(key, value, io.env)}\n`);
      done(0);
    });
  return addExamples(command, [
    { line: "pmcoder config set model anthropic:NAME", does: "the model of every run" },
    { line: "pmcoder config set agent.costLimit null", does: "no limit of money" },
  ]);
}
