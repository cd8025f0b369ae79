import type { RunConfig } from "../domain/config/run-config.ts";
import { sentinel } from "./submission.ts";

export interface Prompts {
  readonly system: string;
  readonly task: string;
}

export interface PromptInput {
  /** The issue or task, as its author wrote it. */
  readonly issue: string;
  /** false: a task that is not about a repository's source code. */
  readonly wantsPatch: boolean;
  readonly workdir: string;
  readonly patch: RunConfig["agent"]["patch"];
  readonly commandTimeoutSec: number;
  readonly network: RunConfig["environment"]["network"];
}

const system =
  "You are a software engineer who fixes issues in existing code. You work through one tool, bash, and learn about the repository only by running commands in it.";

const taskSystem =
  "You are a software engineer who works at a command line. You work through one tool, bash, and learn about the machine only by running commands on it.";

function finishing({ patch, wantsPatch }: PromptInput): string {
  if (!wantsPatch) {
    return `When the task is done and checked, run exactly this, alone in its call:
  echo ${sentinel}`;
  }
  if (patch === "extraction") {
    return `When the fix is done and checked, run exactly this, alone in its call:
  echo ${sentinel}
Your changes to the repository's files are taken as they then stand. You need not commit.`;
  }
  return `When the fix is done and checked, submit the patch in three separate calls:
  1. write it, naming only the source files you changed:  git diff -- FILE... > patch.txt
  2. read it:  cat patch.txt
  3. send it, alone in its call:  echo ${sentinel} && cat patch.txt
What follows the first line is taken as your patch, byte for byte: it must apply with git apply,
and hold no tests, reproduction scripts, build output or configuration.`;
}

function goal({ issue, workdir, wantsPatch }: PromptInput): string {
  if (!wantsPatch) {
    return `<task>
${issue.trim()}
</task>

Do this task, beginning in ${workdir}. What counts is what you leave behind: files, programs, services.

A way that works:
  1. Look at what is there before you change anything.
  2. Say in a sentence what has to be true in the end.
  3. Go there in small steps, and look at what each of them did.
  4. Check the end as whoever gave the task would.
  5. Remove what you made only for yourself.`;
  }
  return `<issue>
${issue.trim()}
</issue>

Resolve this issue by changing the source code of the repository in ${workdir}. Make the behaviour
right in general, not only for the example given, in the style of the code around it. Leave existing
tests and configuration as they are.

A way that works:
  1. Find and read the code that the issue is about.
  2. Reproduce the problem with a small script, and see it fail.
  3. State the cause, then change as little as removes it.
  4. Run the script again, then the tests nearby; think of edge cases.
  5. Remove what you made only for yourself.`;
}

function taskPrompt(input: PromptInput): string {
  const { workdir, commandTimeoutSec, network } = input;
  return `${goal(input)}

How commands run:
  - Say in a sentence or two what you are about to do, then call bash, at least once in each reply.
    Several calls in one reply run in order.
  - Each call is a fresh bash in ${workdir}. Directory changes and variables are gone afterwards;
    put them in the same command (cd DIR && ...).
  - Nothing can answer a prompt: use flags such as -y, and no editors or pagers.
  - A command is ended after ${commandTimeoutSec} s. Long output is cut in the middle: look at what you need.
  - ${network === "on" ? "The network is open." : "There is no network: nothing can be installed or fetched."}

${finishing(input)}
`;
}

/** The two messages that open a conversation: pmcoder's own words. */
export function prompts(input: PromptInput): Prompts {
  return { system: input.wantsPatch ? system : taskSystem, task: taskPrompt(input) };
}

const issuePlace = /\{\{\s*task\s*\}\}/g;

/** Whether a user's own prompt file has a place for the issue. */
export const takesIssue = (template: string): boolean => template.search(issuePlace) !== -1;

/** A user's own prompt file: `{{task}}` stands for the issue, everything else stays as it is. */
export function fill(template: string, issue: string): string {
  return template.replaceAll(issuePlace, () => issue);
}
