import type { Message } from "../../domain/message.ts";
import type { Script } from "../command-text.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import { assistant, issueOf, sections, system, tagged, user } from "./conversation.ts";

const tester = system(
  "You are a test engineer. You write small scripts that show whether a reported problem is there.",
);

const scriptRules = `The script runs at the top of the repository, with the project's own modules importable. It is a plain
script, not a test of a framework. For each input that it tries it prints the input and then what came
out of it, or the exception: put each try into a try/except of its own (for bash: let no failing
command end the script), so that one failure hides no other. It needs no network, changes no file of
the project and is done within two minutes.
First reason in a few sentences about what the issue promises and what happens instead. Then give the
whole script in one block that begins with \`\`\`python (or \`\`\`bash where the project is not Python).`;

export interface FirstTest {
  /** A test file of the project, as a pattern for set-up and imports; empty: none. */
  readonly example: string;
  readonly memories: string;
}

/** Asks for a script that reproduces the issue. */
export function writeTest(run: WorkflowRun, { example, memories }: FirstTest): readonly Message[] {
  return [
    tester,
    user(
      sections(
        issueOf(run),
        "Write a script that reproduces this issue on the code as it is now.",
        scriptRules,
        tagged("existing_tests", example),
        memories,
      ),
    ),
  ];
}

export interface TestRound {
  readonly reply: string;
  /** null: the reply held no script. */
  readonly script: Script | null;
  /** What became of it, as it is shown. */
  readonly output: string;
  readonly analysis: string;
  readonly advice: string;
  readonly reproduced: boolean;
}

/** What was said of a round, for the next question. */
function feedbackOf({ script, output, analysis, advice }: TestRound): string {
  if (script === null) return "Your reply held no complete fenced script, so nothing was run.";
  return sections(
    tagged("output", output),
    "The issue is not reproduced by this script.",
    tagged("analysis", analysis),
    tagged("advice", advice),
  );
}

/** Asks for another script after rounds that did not reproduce the issue. */
export function rewriteTest(
  opening: readonly Message[],
  rounds: readonly TestRound[],
  memories: string,
): readonly Message[] {
  const said = rounds.flatMap((round, index) => [
    assistant(round.reply),
    user(
      index < rounds.length - 1
        ? feedbackOf(round)
        : sections(
            feedbackOf(round),
            "Write a better script, whole, by the same rules: fix what kept this one from showing the issue.",
            memories,
          ),
    ),
  ]);
  return [...opening, ...said];
}

/** Asks whether a script's output shows the issue. */
export function checkTest(
  opening: readonly Message[],
  reply: string,
  output: string,
): readonly Message[] {
  return [
    ...opening,
    assistant(reply),
    user(
      sections(
        "Your script was run on the unchanged code:",
        tagged("output", output),
        `Judge whether this output shows the very behaviour that the issue complains of. An error of the script
itself, a missing import for one, is no reproduction. Answer in this form:
<analysis>what the output shows, compared with the issue</analysis>
<reproduced>YES or NO</reproduced>
<advice>if NO, what the next script must do differently; else nothing</advice>`,
      ),
    ),
  ];
}

/** Asks for a script that tries a fix on more inputs. */
export function writeValidation(
  run: WorkflowRun,
  { reproduction, inputs, memories }: ValidationWish,
): readonly Message[] {
  return [
    tester,
    user(
      sections(
        issueOf(run),
        `Several fixes of this issue were proposed. Write a script that tells good ones from bad ones: up to ${inputs}
inputs, among them the issue's own, its edge cases, and neighbouring behaviour that must not change.
Beside each result print what you expect there.`,
        scriptRules,
        tagged("reproduction", reproduction),
        memories,
      ),
    ),
  ];
}

export interface ValidationWish {
  /** The script that reproduced the issue; empty: none did. */
  readonly reproduction: string;
  readonly inputs: number;
  readonly memories: string;
}
