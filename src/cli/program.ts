import {
  Command,
  CommanderError,
  type CommandUnknownOpts,
  Help,
  type Option,
} from "@commander-js/extra-typings";
import { applyOf } from "./apply-command.ts";
import { configOf } from "./config-command.ts";
import { doctorOf } from "./doctor-command.ts";
import { evalOf } from "./eval/command.ts";
import { exitCodeOfError, explain } from "./exit-code.ts";
import { experienceOf } from "./experience/command.ts";
import { exportOf } from "./export-command.ts";
import { addExamples } from "./help-examples.ts";
import { hookOf } from "./hook-command.ts";
import type { Io } from "./io.ts";
import { localizeOf } from "./localize/command.ts";
import { replayCommandLine } from "./replay-command.ts";
import { reproOf } from "./repro-command.ts";
import { resumeOf } from "./resume-command.ts";
import { runCommandLine } from "./run-command.ts";
import { serveOf } from "./serve-command.ts";
import { version } from "./version.ts";
import { viewOf } from "./view-command.ts";

/** What a command leaves behind: the exit status. Each command's module is loaded when it runs. */
type Done = (code: number) => void;

function runOf(io: Io, done: Done) {
  return addExamples(
    runCommandLine().action(async (text, flags) => {
      const { runIssue } = await import("./run.ts");
      done(await runIssue(text, flags, io));
    }),
    [
      {
        line: "pmcoder run --issue ISSUE.md --model anthropic:NAME",
        does: "fix the issue described in a file, in the repository you are in",
      },
      {
        line: "pmcoder run https://github.com/OWNER/REPO/issues/12 --repo ../REPO -c agent.stepLimit=80",
        does: "an issue from GitHub, with fewer steps",
      },
      {
        line: "pmcoder run --issue ISSUE.md --view --debug --break stuck --break file=src/x.py",
        does: "watch it in a browser, and step in where it gets stuck or touches a file",
      },
    ],
  );
}

function replayOf(io: Io, done: Done) {
  return addExamples(
    replayCommandLine().action(async (files, flags) => {
      const { replayCommand } = await import("./replay.ts");
      done(await replayCommand(files, flags, io));
    }),
    [
      { line: "pmcoder replay run.traj.json", does: "what plan and memory would have said" },
      {
        line: "pmcoder replay --labels labels.jsonl runs/*.traj.json.gz",
        does: "score the phase detector and the reading of commands",
      },
    ],
  );
}

function demoOf(io: Io, done: Done) {
  const command = new Command("demo")
    .description("Watch a bundled issue become a patch: no key, no Docker.")
    .option("--memory", "a second issue as well, with what was learned from the first at hand")
    .option("--json", "events on standard output, one JSON object a line")
    .action(async (flags) => {
      const { runDemo } = await import("./demo.ts");
      done(await runDemo(flags, io));
    });
  return addExamples(command, [
    { line: "pmcoder demo", does: "about ten seconds" },
    { line: "pmcoder demo --memory", does: "two related issues, and what one tells the other" },
  ]);
}

/** What `--help` says of an option. That a list is empty until something is added goes without saying. */
function describeOption(option: Option): string {
  const isList = Array.isArray(option.defaultValue) && option.defaultValue.length === 0;
  return isList ? option.description : new Help().optionDescription(option);
}

function programOf(io: Io, done: Done) {
  const program = new Command("pmcoder")
    .description("Resolves software issues in a repository.")
    .version(version, "-V, --version")
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    })
    .configureHelp({ optionDescription: describeOption })
    .exitOverride();
  const parts = [
    runOf,
    resumeOf,
    localizeOf,
    replayOf,
    viewOf,
    applyOf,
    exportOf,
    evalOf,
    reproOf,
    experienceOf,
    configOf,
    hookOf,
    serveOf,
  ];
  const commands = [...parts, doctorOf, demoOf].map((commandOf) => commandOf(io, done));
  for (const command of commands) program.addCommand(inherit(command, program));
  return program;
}

/** A command and those below it print and end as the program does. */
function inherit(command: CommandUnknownOpts, program: CommandUnknownOpts): CommandUnknownOpts {
  for (const inner of command.commands) inherit(inner, program);
  return command.copyInheritedSettings(program);
}

/** Runs one command line. Returns the exit status; never rejects. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  let code = 0;
  const program = programOf(io, (status) => {
    code = status;
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    io.stderr.write(`pmcoder: ${explain(error, io.env)}\n`);
    const terminated = error instanceof Error && error.cause === "SIGTERM";
    return exitCodeOfError(error, terminated ? "SIGTERM" : "SIGINT");
  }
}
