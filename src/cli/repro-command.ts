import { Command, Option } from "@commander-js/extra-typings";
import { addExamples } from "./help-examples.ts";
import type { Io } from "./io.ts";

const append = (value: string, list: readonly string[]) => [...list, value];

const config = () =>
  new Option("-c, --config <file|key=value>", "configuration, repeatable, left to right")
    .argParser(append)
    .default([] as readonly string[]);

const scripts = () =>
  new Option("--scripts <dir>", "where the scripts are kept (default: repro-scripts)");

const issueSource = "the issue from a file, - for standard input, or a GitHub issue URL";

/** `repro extract`: what it takes. */
const extractCommandLine = () =>
  new Command("extract")
    .description(
      "Let the model write a script that shows the issue, from its text alone: one call.",
    )
    .argument("<name>", "the instance, or any name for an issue of your own")
    .option("--dataset <file>", "rows of instances, .jsonl or .json")
    .option("--issue <source>", issueSource)
    .option("--model <provider:name>", "such as anthropic:NAME, openai:NAME, replay:FILE")
    .option("--base-url <url>", "a server that speaks the provider's protocol")
    .option("--record <file>", "write the model's reply to a cassette")
    .addOption(scripts())
    .addOption(config());

/** `repro validate`: what it takes. */
const validateCommandLine = () =>
  new Command("validate")
    .description(
      "Run a script twice on the untouched repository; it is admitted if both show the issue.",
    )
    .argument("<name...>", "the instances, or names of issues of your own")
    .option("--dataset <file>", "rows of instances: an exception that the issue names is no fault")
    .option("--issue <source>", issueSource)
    .option(
      "--repo <dir>",
      "the repository (default: /testbed with --dataset, else the current one)",
    )
    .addOption(
      new Option("--environment <kind>", "where it runs (default: the safest that works)").choices([
        "docker",
        "bubblewrap",
        "local",
      ] as const),
    )
    .option("--image <name>", "Docker image")
    .option("--yes", "run it without a sandbox")
    .option("--json", "the records on standard output, one JSON object a line")
    .addOption(scripts())
    .addOption(config());

/** `repro list`: what it takes. */
const listCommandLine = () =>
  new Command("list")
    .description("Show the scripts that are kept, and which of them arm a run.")
    .option("--json", "the records on standard output, one JSON object a line")
    .addOption(scripts())
    .addOption(config());

export type ExtractFlags = ReturnType<ReturnType<typeof extractCommandLine>["opts"]>;
export type ValidateFlags = ReturnType<ReturnType<typeof validateCommandLine>["opts"]>;
export type ListFlags = ReturnType<ReturnType<typeof listCommandLine>["opts"]>;

/** `pmcoder repro`: scripts that show whether an issue is still there. */
export function reproOf(io: Io, done: (code: number) => void) {
  const extract = extractCommandLine().action(async (name, flags) => {
    const { extract: run } = await import("./repro-extract.ts");
    done(await run(name, flags, io));
  });
  const validate = validateCommandLine().action(async (names, flags) => {
    const { validate: run } = await import("./repro-validate.ts");
    done(await run(names, flags, io));
  });
  const list = listCommandLine().action(async (flags) => {
    const { list: run } = await import("./repro-list.ts");
    done(run(flags, io));
  });
  const command = new Command("repro")
    .description("Scripts that show whether an issue is still there: written, validated, listed.")
    .addCommand(addExamples(extract, [examples.extract]))
    .addCommand(addExamples(validate, [examples.validate]))
    .addCommand(addExamples(list, [examples.list]));
  return addExamples(command, Object.values(examples));
}

const examples = {
  extract: {
    line: "pmcoder repro extract sympy__sympy-23824 --dataset verified.jsonl --model anthropic:NAME",
    does: "write repro-scripts/sympy__sympy-23824/script.py",
  },
  validate: {
    line: "pmcoder repro validate sympy__sympy-23824 --dataset verified.jsonl",
    does: "does it show the issue on the untouched repository?",
  },
  list: { line: "pmcoder repro list", does: "which instances have a script that is admitted" },
};
