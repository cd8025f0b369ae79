import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { parseSize } from "../eval/experiment/size.ts";
import { addExamples } from "./help-examples.ts";
import type { Io } from "./io.ts";
import { positive, whole } from "./run-command.ts";

function size(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null) return bytes;
  throw new InvalidArgumentError("Expected a size such as 60 GB.");
}

const storeOption = () =>
  new Option("--store <url>", "a PostgreSQL database that workers on any host share: postgres://…");

/** `eval run`: what it takes. */
const runCommandLine = () =>
  new Command("run")
    .description(
      "Run an experiment, or go on with it: tells what it may cost, keeps its caps, and can be killed and started again at any time.",
    )
    .argument("<file>", "the experiment, such as eval/experiments/smoke.yaml")
    .requiredOption("--output <dir>", "where its results go, and stand already when it goes on")
    .option("--arms <list>", "only these arms, such as full,baseline")
    .option("--seeds <list>", "only these seeds, such as 1-2")
    .option("--slice <from:to>", "only these instances by their place, such as 0:50")
    .option("--filter <regex>", "only instances whose id matches; --slice counts among them")
    .option(
      "--workers <n>",
      "runs at once here; 0 only collects (default: the experiment's)",
      whole,
    )
    .option("--model <provider:name>", "another model than the experiment's")
    .option("--base-url <url>", "a server that speaks the provider's protocol")
    .addOption(
      new Option("--environment <kind>", "another one than the experiment's").choices([
        "docker",
        "bubblewrap",
        "local",
      ] as const),
    )
    .option("--image-cache <size>", "images may stay up to this size, such as 60 GB", size)
    .option("--allow-unknown-cost", "go on although the model's price is not known")
    .addOption(storeOption())
    .option("--lease <seconds>", "a worker that is silent for so long is dead (60)", positive)
    .option("--yes", "do not ask")
    .option("--json", "what happens on standard output, one JSON object a line");

export type EvalRunFlags = ReturnType<ReturnType<typeof runCommandLine>["opts"]>;

/** `pmcoder eval`: experiments, from their declaration to their results. */
export function evalOf(io: Io, done: (code: number) => void) {
  const run = runCommandLine().action(async (file, flags) => {
    const { runEval } = await import("./eval-run.ts");
    done(await runEval(file, flags, io));
  });
  const command = new Command("eval")
    .description("Experiments: arms, seeds and instances, run, graded and reported.")
    .addCommand(addExamples(run, [examples.smoke, examples.verified]));
  return addExamples(command, Object.values(examples));
}

const examples = {
  smoke: {
    line: "pmcoder eval run eval/experiments/smoke.yaml --output smoke --yes",
    does: "the whole way in a minute: no key, no Docker",
  },
  verified: {
    line: "pmcoder eval run eval/experiments/verified-500.yaml --output verified --slice 0:50",
    does: "the first fifty instances of SWE-bench Verified; the same command goes on",
  },
};
