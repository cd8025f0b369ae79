import type { Message } from "../../domain/message.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import { issueOf, sections, system, tagged, user } from "./conversation.ts";

const developer = system(
  "You are a developer of this project. You fix issues with small changes in the style of the code around them.",
);

const evaluator = system(
  "You review changes to this project: whether they resolve the issue, and whether they do only that.",
);

/** What everybody who works on a patch is shown. */
export interface PatchContext {
  /** Excerpts of the code that was found. */
  readonly code: string;
  /** The script that shows the issue, with its output; empty: there is none. */
  readonly reproduction: string;
}

const editForm = (max: number) => `Give the change as at most ${max} edits of this form:
<edit>
<file>path as shown</file>
<original>
lines that stand in the file, copied exactly, white space included, and only once in it
</original>
<patched>
the lines to put in their place
</patched>
</edit>
An edit whose original text is not found in its file makes the whole answer void. For a new file leave
the original empty. Change source code only: no tests, no scripts. First reason in a few sentences
about the cause.`;

const contextOf = (run: WorkflowRun, { code, reproduction }: PatchContext) => [
  issueOf(run),
  "This is the code that the issue is about:",
  code,
  reproduction,
];

/** Asks for a first patch. */
export function writePatch(
  run: WorkflowRun,
  context: PatchContext,
  { edits, memories }: PatchWish,
): readonly Message[] {
  return [
    developer,
    user(
      sections(
        ...contextOf(run, context),
        "Resolve the issue, in general and not only for the inputs shown.",
        editForm(edits),
        memories,
      ),
    ),
  ];
}

interface PatchWish {
  readonly edits: number;
  readonly memories: string;
}

/** A patch and what the script printed with it. */
export interface TriedPatch {
  readonly patch: string;
  readonly output: string;
}

/** In which direction a patch is to be changed. */
export type Direction = "refine" | "expand" | "compress";

const adviceWanted: Readonly<Record<Direction, string>> = {
  refine:
    "This patch does not resolve the issue. Find out why, from its text and from the output, and advise how to mend it.",
  expand:
    "This patch resolves the case of the script. Judge whether it is complete: other inputs, other callers, the same mistake elsewhere. Advise what must be added, and only that.",
  compress:
    "This patch resolves the case of the script. Judge whether it can be simpler: less code, nothing that the issue does not need, no change of other behaviour. Advise what can go.",
};

const rewriteWanted: Readonly<Record<Direction, string>> = {
  refine: "Write a better patch that follows this advice where it is right.",
  expand: "Write the patch anew with what is missing, where this advice is right.",
  compress: "Write the patch anew, simpler, where this advice is right; it must do as much.",
};

const tried = ({ patch, output }: TriedPatch) => [
  tagged("patch", patch),
  tagged("output_with_patch", output),
];

/** Asks for advice on a patch. */
export function advise(
  run: WorkflowRun,
  context: PatchContext,
  candidate: TriedPatch,
  direction: Direction,
): readonly Message[] {
  return [
    evaluator,
    user(
      sections(
        ...contextOf(run, context),
        ...tried(candidate),
        adviceWanted[direction],
        "Answer in this form:\n<analysis>what you found</analysis>\n<advice>what to do, in a few sentences</advice>",
      ),
    ),
  ];
}

export interface Advice {
  readonly analysis: string;
  readonly advice: string;
}

/** Asks for another patch, by advice on one. */
export function rewritePatch(
  run: WorkflowRun,
  context: PatchContext,
  candidate: TriedPatch,
  { direction, analysis, advice, edits, memories }: PatchWish & Advice & { direction: Direction },
): readonly Message[] {
  return [
    developer,
    user(
      sections(
        ...contextOf(run, context),
        "This patch was tried:",
        ...tried(candidate),
        tagged("analysis", analysis),
        tagged("advice", advice),
        `${rewriteWanted[direction]} It replaces that one: its edits are made to the code as shown above.`,
        editForm(edits),
        memories,
      ),
    ),
  ];
}

const numbered = (tag: string, texts: readonly (readonly string[])[]) =>
  sections(
    ...texts.map(
      (parts, index) => `<${tag} number="${index + 1}">\n${sections(...parts)}\n</${tag}>`,
    ),
  );

/** Asks which patches are correct, and how they rank. */
export function review(
  run: WorkflowRun,
  context: PatchContext,
  candidates: readonly TriedPatch[],
): readonly Message[] {
  return [
    evaluator,
    user(
      sections(
        ...contextOf(run, context),
        "These patches were proposed, each with what the script printed with it:",
        numbered("candidate", candidates.map(tried)),
        `Compare them. Which resolve the issue without breaking anything? Reason first, then answer:
<ranking>all numbers, the best first, with commas between</ranking>
<correct>the numbers of those that are correct; nothing if none is</correct>`,
      ),
    ),
  ];
}

/** Asks which of several outputs of the same script are right. */
export function chooseGroups(
  run: WorkflowRun,
  context: PatchContext,
  outputs: readonly string[],
): readonly Message[] {
  return [
    evaluator,
    user(
      sections(
        ...contextOf(run, context),
        "With different patches the script printed different things:",
        numbered(
          "output",
          outputs.map((output) => [output]),
        ),
        "Which of these outputs are right once the issue is resolved? Reason first, then answer:\n<correct>their numbers, with commas between</correct>",
      ),
    ),
  ];
}

/** Asks for a ranking by the output of a validation script. */
export function rankByScript(
  run: WorkflowRun,
  context: PatchContext,
  { script, candidates }: { readonly script: string; readonly candidates: readonly TriedPatch[] },
): readonly Message[] {
  return [
    evaluator,
    user(
      sections(
        ...contextOf(run, context),
        "Another script was run with each of the patches that are left:",
        tagged("script", script),
        numbered("candidate", candidates.map(tried)),
        "Rank the patches by what their outputs show and by their text. The script's own expectations may be wrong. Reason first, then answer:\n<ranking>all numbers, the best first, with commas between</ranking>",
      ),
    ),
  ];
}
