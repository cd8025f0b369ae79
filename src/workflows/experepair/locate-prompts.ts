import type { Message } from "../../domain/message.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import { issueOf, sections, system, tagged, user } from "./conversation.ts";

const maintainer = system(
  "You maintain this project and know where in it a kind of behaviour comes from.",
);

const question = (...parts: readonly string[]): readonly Message[] => [
  maintainer,
  user(sections(...parts)),
];

const listForm =
  "First reason in a few sentences. Then list them in one fenced block (```), one a line, the likeliest first, and nothing else in the block.";

/** Asks which files may have to change, from their names. */
export function findFiles(run: WorkflowRun, tree: string, max: number): readonly Message[] {
  return question(
    issueOf(run),
    tagged("files", tree),
    `Which source files may have to change to resolve this issue? Name at most ${max} paths exactly as listed. ${listForm}`,
  );
}

/** Asks which of them remain, from their outlines. */
export function keepFiles(run: WorkflowRun, outlines: string, max: number): readonly Message[] {
  return question(
    issueOf(run),
    "These are outlines of files that may have to change:",
    outlines,
    `Which of them will have to change? Name at most ${max} paths. ${listForm}`,
  );
}

const placeForm = `Write each place as path:from-to with the line numbers shown. ${listForm}`;

/** Asks for places in the files, from their text with line numbers. */
export function findPlaces(run: WorkflowRun, texts: string, perFile: number): readonly Message[] {
  return question(
    issueOf(run),
    "These are the files, with line numbers:",
    texts,
    `Which places have to be changed, or read by whoever changes them? Take whole functions or blocks, at least ${perFile} places a file where it has them. ${placeForm}`,
  );
}

/** Asks for the places that matter, from all of them together. */
export function keepPlaces(run: WorkflowRun, excerpts: string): readonly Message[] {
  return question(
    issueOf(run),
    "These places were found, with line numbers:",
    excerpts,
    `Look at them together. Keep those that a developer needs for the fix and drop the rest; widen or move a range where it misses something. ${placeForm}`,
  );
}
