import { Command, Option } from "@commander-js/extra-typings";
import { stages } from "../../domain/experience.ts";
import { phases } from "../../domain/phase.ts";
import { addExamples } from "../help-examples.ts";
import type { Io } from "../io.ts";

const append = (value: string, list: readonly string[]) => [...list, value];

const bank = () =>
  new Option(
    "--bank <file>",
    "the memories' file (default: ~/.local/share/pmcoder/experience.db, or in XDG_DATA_HOME)",
  );
const dataset = () =>
  new Option("--dataset <file>", "rows of instances: their issues, repositories and dates");
const names = () =>
  new Option("--experience <list>", "which memories: experepair, adarepair, swe-exp");
const model = () =>
  new Option("--model <provider:name>", "such as anthropic:NAME, openai:NAME, replay:FILE");
const baseUrl = () =>
  new Option("--base-url <url>", "a server that speaks the provider's protocol");
const config = () =>
  new Option("-c, --config <file|key=value>", "configuration, repeatable, left to right")
    .argParser(append)
    .default([] as readonly string[]);
const json = (what: string) => new Option("--json", `${what}, one JSON object a line`);
const instance = (what: string) => new Option("--instance <id>", what);
const repo = (what: string) => new Option("--repo <owner/name>", what);
const stage = (what: string) => new Option("--stage <stage>", what).choices(stages);

const learnCommandLine = () =>
  new Command("learn")
    .description(
      "Learn from episodes that are over: trajectories of any agent, folders of runs, or an export.",
    )
    .argument("<file...>", "trajectories (also .gz), run folders, files of `experience export`")
    .addOption(dataset())
    .option(
      "--outcomes <file>",
      "which episodes resolved their issue: instance_id and resolved (default: their own checks)",
    )
    .addOption(repo("the repository of episodes that do not name theirs"))
    .addOption(names())
    .addOption(model())
    .addOption(baseUrl())
    .addOption(bank())
    .addOption(json("what was learned from each file"))
    .addOption(config());

const recallCommandLine = () =>
  new Command("recall")
    .description("Show what would be recalled for an issue, and how much is kept back.")
    .argument("[text]", "the issue's text")
    .addOption(instance("the issue of an instance; wants --dataset"))
    .addOption(dataset())
    .addOption(stage("of this stage of a repair alone (default: of each)"))
    .addOption(
      new Option("--phase <phase>", "as an episode would ask on entering this phase")
        .choices([...phases, "backtrack"] as const)
        .conflicts("stage"),
    )
    .option("--failure <file>", "the newest failing output: memories of repairing such a failure")
    .addOption(repo("the issue's repository (default: the remote of the one you are in)"))
    .addOption(names())
    .addOption(model())
    .addOption(baseUrl())
    .addOption(bank())
    .addOption(json("the memories on standard output"))
    .addOption(config());

const listCommandLine = () =>
  new Command("list")
    .description("Show what is remembered: from where, how often it was used, and with what end.")
    .addOption(stage("memories of this stage alone"))
    .option("--insights", "insights alone")
    .addOption(instance("memories from this instance alone"))
    .addOption(repo("memories from this repository alone"))
    .addOption(bank())
    .addOption(json("the memories on standard output"));

const forgetCommandLine = () =>
  new Command("forget")
    .description("Forget memories for good: they are in no later answer and no export.")
    .argument("[id...]", "ids or their beginnings, as `experience list` shows them")
    .addOption(instance("all that this instance had a part in"))
    .addOption(repo("all from this repository"))
    .addOption(bank());

const exportCommandLine = () =>
  new Command("export")
    .description("Write all memories as JSON lines; `experience learn` reads them back.")
    .option("--output <file>", "the file to write (default: standard output)")
    .addOption(instance("those from this instance alone"))
    .addOption(repo("those from this repository alone"))
    .addOption(bank());

const editCommandLine = () =>
  new Command("edit")
    .description("Put an insight into your own words.")
    .argument("<id>", "its id or the beginning of it, as `experience list --insights` shows it")
    .argument("<text>", "what it says from now on")
    .addOption(bank());

type FlagsOf<Line extends () => { opts(): unknown }> = ReturnType<ReturnType<Line>["opts"]>;
export type LearnFlags = FlagsOf<typeof learnCommandLine>;
export type RecallFlags = FlagsOf<typeof recallCommandLine>;
export type ListFlags = FlagsOf<typeof listCommandLine>;
export type ForgetFlags = FlagsOf<typeof forgetCommandLine>;
export type ExportFlags = FlagsOf<typeof exportCommandLine>;
export type EditFlags = FlagsOf<typeof editCommandLine>;

/** `pmcoder experience`: what is remembered across issues. */
export function experienceOf(io: Io, done: (code: number) => void) {
  const learn = learnCommandLine().action(async (files, flags) => {
    const { learnFiles } = await import("./learn.ts");
    done(await learnFiles(files, flags, io));
  });
  const recall = recallCommandLine().action(async (text, flags) => {
    const { recallFor } = await import("./recall.ts");
    done(await recallFor(text, flags, io));
  });
  const list = listCommandLine().action(async (flags) => {
    const { listMemories } = await import("./list.ts");
    done(await listMemories(flags, io));
  });
  const forget = forgetCommandLine().action(async (ids, flags) => {
    const { forgetMemories } = await import("./forget.ts");
    done(await forgetMemories(ids, flags, io));
  });
  const exported = exportCommandLine().action(async (flags) => {
    const { exportMemories } = await import("./export.ts");
    done(await exportMemories(flags, io));
  });
  const edit = editCommandLine().action(async (id, text, flags) => {
    const { editInsight } = await import("./edit.ts");
    done(await editInsight(id, text, flags, io));
  });
  const command = new Command("experience")
    .description("What is remembered across issues: learn, recall, list, edit, forget, export.")
    .addCommand(addExamples(learn, [examples.learn, examples.distil]))
    .addCommand(addExamples(recall, [examples.recall, examples.stage]))
    .addCommand(addExamples(list, [examples.list]))
    .addCommand(addExamples(forget, [examples.forget, examples.instance]))
    .addCommand(addExamples(exported, [examples.export]))
    .addCommand(addExamples(edit, [examples.edit]));
  return addExamples(command, [examples.learn, examples.recall, examples.list, examples.forget]);
}

const examples = {
  learn: {
    line: "pmcoder experience learn runs/*.traj.json.gz --dataset verified.jsonl --outcomes index.json",
    does: "learn from anyone's trajectories, with the issues' dates and the runs' known ends",
  },
  distil: {
    line: "pmcoder experience learn .pmcoder/runs/20261130-14 --model anthropic:NAME",
    does: "learn from a run of yours, and let a model distil insights from it",
  },
  recall: {
    line: 'pmcoder experience recall "KeyError when a form is saved"',
    does: "what each stage of a repair would be told",
  },
  stage: {
    line: "pmcoder experience recall --instance sympy__sympy-23824 --dataset verified.jsonl --stage gen --json",
    does: "for an instance, before a patch is written; the leak guard compares dates",
  },
  list: { line: "pmcoder experience list --insights", does: "with ids, origins and uses" },
  forget: { line: "pmcoder experience forget 3fa9c1", does: "one memory" },
  instance: {
    line: "pmcoder experience forget --instance sympy__sympy-23824",
    does: "everything that an issue had a part in",
  },
  export: {
    line: "pmcoder experience export --output memories.jsonl",
    does: "a file to keep, to read, or to learn elsewhere",
  },
  edit: {
    line: 'pmcoder experience edit 3fa9c1 "Check Min where Max is repaired"',
    does: "the insight keeps its origins",
  },
};
