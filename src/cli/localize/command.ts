import { Command } from "@commander-js/extra-typings";
import { addExamples } from "../help-examples.ts";
import type { Io } from "../io.ts";
import { positive } from "../run-command.ts";

const append = (value: string, list: string[]) => [...list, value];

/** The command line of `pmcoder localize`: what it takes, and nothing of what it does. */
const localizeCommandLine = () =>
  new Command("localize")
    .description(
      "Find the files that an issue is about, by the repository's history: an agent reads both, or the commits alone speak.",
    )
    .argument("[issue]", "the issue, as text")
    .option(
      "--issue <source>",
      "the issue from a file, - for standard input, or a GitHub issue URL",
    )
    .option("--instance <id>", "a SWE-bench instance; wants --dataset")
    .option("--dataset <file>", "rows of instances; without --instance all of them")
    .option("--commits <dir>", "histories of the dataset's repositories, OWNER__NAME.jsonl.gz each")
    .option("--repos <dir>", "clones of the dataset's repositories, OWNER__NAME each, bare or not")
    .option("--output <file>", "keep each instance of --repos here; the next start goes on")
    .option(
      "--total-cost <dollars>",
      "with --repos, money after which no instance begins",
      positive,
    )
    .option("--filter <regex>", "of the dataset the instances whose id this fits")
    .option("--repo <dir>", "the repository (default: the current one)")
    .option("--base <commit>", "look from here back (default: HEAD)")
    .option("--issues <file>", "the repository's other issues, JSON lines with id, title and body")
    .option("--model <provider:name>", "such as anthropic:NAME, openai:NAME, replay:FILE")
    .option("--no-model", "ask no model: files ranked by commits alone, with reasons")
    .option("--base-url <url>", "a server that speaks the provider's protocol")
    .option(
      "--record <file>",
      "write the model's replies to a cassette; with --repos a folder of them",
    )
    .option("--summaries", "let the model summarise the files that changed most, once; it costs")
    .option("--state <dir>", "where summaries are kept (default: .pmcoder, or PMCODER_STATE)")
    .option("--json", "one JSON object a line on standard output")
    .option(
      "-c, --config <file|key=value>",
      "configuration, repeatable, left to right",
      append,
      [],
    );

export type LocalizeFlags = ReturnType<ReturnType<typeof localizeCommandLine>["opts"]>;

/** `pmcoder localize`. */
export function localizeOf(io: Io, done: (code: number) => void) {
  const command = localizeCommandLine().action(async (text, flags) => {
    const { localize } = await import("./localize.ts");
    done(await localize(text, flags, io));
  });
  return addExamples(command, [
    { line: "pmcoder localize --issue ISSUE.md --no-model", does: "in a moment, for nothing" },
    {
      line: "pmcoder localize --issue ISSUE.md --model anthropic:NAME",
      does: "an agent reads history and code, and changes nothing",
    },
    {
      line: "pmcoder localize --no-model --dataset verified.jsonl --commits DIR --filter '^sympy' --json",
      does: "how often it is right, over a benchmark",
    },
    {
      line: "pmcoder localize --model anthropic:NAME --dataset verified.jsonl --repos DIR --output agent.jsonl --json",
      does: "the same of the agent; started again, it goes on where it stood",
    },
  ]);
}
