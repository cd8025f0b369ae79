import { Command } from "@commander-js/extra-typings";

const append = (value: string, list: string[]) => [...list, value];

/** The command line of `pmcoder replay`: what it takes, and nothing of what it does. */
export const replayCommandLine = () =>
  new Command("replay")
    .description(
      "Show what plan and memory make of recorded episodes: mini-swe-agent, SWE-agent, OpenHands, pmcoder. No model is asked.",
    )
    .argument("<trajectory...>", "files with recorded episodes, also .gz")
    .option("--json", "one JSON object a step on standard output")
    .option("--instance <id>", "only this episode")
    .option("--labels <file>", "score the reading of steps against labelled ones, as JSON")
    .option("--metrics", "recall and backtracks over all episodes, as JSON; wants the next two")
    .option("--outcomes <file>", "which episodes were resolved: instance_id and resolved")
    .option("--events <file>", "steps that read a file again: instance_id, step and file")
    .option(
      "-c, --config <file|key=value>",
      "configuration, repeatable, left to right (default: everything on)",
      append,
      [],
    );

export type ReplayFlags = ReturnType<ReturnType<typeof replayCommandLine>["opts"]>;
