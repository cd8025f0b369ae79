import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { workflowNames } from "../domain/config/workflow.ts";
import { type ExperienceName, experienceNames } from "../domain/experience.ts";
import { breakpoint, confirm, debug, json, view, yes } from "./session-options.ts";

export function positive(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("Expected a number above 0.");
}

export function whole(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError("Expected a whole number.");
}

/** The four couplings by the names that flags take (arXiv:2608.06811, III-D). */
const couplings = ["phase-retrieval", "subtask-retrieval", "stats-plan", "verdict-plan"] as const;
export type Coupling = (typeof couplings)[number];

function couplingList(text: string, before: readonly Coupling[]): readonly Coupling[] {
  const named = text.split(",").map((name) => couplings.find((known) => known === name.trim()));
  const known = named.filter((name) => name !== undefined);
  if (known.length === named.length) return [...before, ...known];
  throw new InvalidArgumentError(`Expected a list of ${couplings.join(", ")}.`);
}

function experienceList(
  text: string,
  before: readonly ExperienceName[],
): readonly ExperienceName[] {
  const named = text.split(",").map((name) => experienceNames.find((one) => one === name.trim()));
  const known = named.filter((name) => name !== undefined);
  if (known.length === named.length) return [...new Set([...before, ...known])];
  throw new InvalidArgumentError(`Expected a list of ${experienceNames.join(", ")}.`);
}

const append = (value: string, list: string[]) => [...list, value];

/** What is to be done, and where. */
const taskAndPlace = () =>
  new Command("run")
    .description("Resolve one issue: works on a copy of the repository and ends with a patch.")
    .argument("[issue]", "the issue, as text")
    .option(
      "--issue <source>",
      "the issue from a file, - for standard input, or a GitHub issue URL",
    )
    .option("--instance <id>", "a SWE-bench instance; wants --dataset")
    .option("--dataset <file>", "rows of instances, .jsonl or .json")
    .option("--task <file>", "any task; ends well without a patch")
    .option("--repo <dir>", "the repository (default: the current one; /testbed with --instance)")
    .option("--model <provider:name>", "such as anthropic:NAME, openai:NAME, replay:FILE")
    .addOption(
      new Option(
        "--workflow <name>",
        "what works on the issue: pmcoder's loop, or the fixed steps of another system (default: pmcoder)",
      ).choices(workflowNames),
    )
    .option("--base-url <url>", "a server that speaks the provider's protocol")
    .addOption(
      new Option(
        "--environment <kind>",
        "where commands run (default: the safest that works)",
      ).choices(["docker", "bubblewrap", "local"] as const),
    )
    .option("--image <name>", "Docker image")
    .addOption(new Option("--network <state>", "in the sandbox").choices(["on", "off"] as const));

/** The command line of `pmcoder run`: what it takes, and nothing of what it does. */
export const runCommandLine = () =>
  taskAndPlace()
    .option(
      "--arm <name|file>",
      "baseline, plan-only, memory-only, full, or a file of settings; -c comes after it",
    )
    .option("--no-planner", "without the phase planner")
    .option("--no-memory", "without the episodic memory")
    .option("--no-grounding", "without evidence from parsing edits and running the reproduction")
    .option("--no-integrity", "do not parse edited files")
    .option("--no-injection", "plan and remember, but show the model nothing of it")
    .option("--decouple <list>", `cut couplings: ${couplings.join(", ")}`, couplingList, [])
    .option("--placebo", "random memory lines of the same length in place of the recalled ones")
    .option(
      "--repro <file>",
      "a script, .py or .sh, that exits 1 while the issue is there and 0 once it is gone",
    )
    .option(
      "--experience <list>",
      `recall from other issues, and learn from this one: ${experienceNames.join(", ")}`,
      experienceList,
      [],
    )
    .option("--bank <file>", "where that is kept (default: ~/.local/share/pmcoder/experience.db)")
    .option("--step-limit <n>", "model calls (default: 250)", whole)
    .option("--cost-limit <dollars>", "money for model calls (default: 3)", positive)
    .option("--time-limit <seconds>", "wall time (default: none)", positive)
    .option("--command-timeout <seconds>", "time for one command (default: 60)", positive)
    .addOption(
      new Option("--overflow <rule>", "when the context is full (default: end)").choices([
        "end",
        "compact",
      ] as const),
    )
    .option("--allow-unknown-cost", "go on although the model's price is not known")
    .option("--seed <n>", "for APIs that take one, and our own shuffles", whole)
    .option("--record <file>", "write the model's replies to a cassette")
    .option("--output <dir>", "where the results go (default: .pmcoder/runs/<id>)")
    .option("--state <dir>", "where runs are kept (default: .pmcoder, or PMCODER_STATE)")
    .addOption(
      new Option(
        "--copy <what>",
        "what the working copy holds; none: --task works in the folder itself",
      ).choices(["full", "tracked", "none"] as const),
    )
    .addOption(yes)
    .addOption(confirm)
    .addOption(view)
    .addOption(debug)
    .addOption(breakpoint)
    .addOption(json)
    .option(
      "-c, --config <file|key=value>",
      "configuration, repeatable, left to right",
      append,
      [],
    );

export type RunFlags = ReturnType<ReturnType<typeof runCommandLine>["opts"]>;
