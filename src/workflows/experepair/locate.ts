import type { Message } from "../../domain/message.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import { askUntil, Complaint, sections, tagged } from "./conversation.ts";
import { excerptOf, mergePlaces, numberedText, outlineOf, treeText } from "./excerpts.ts";
import { findFiles, findPlaces, keepFiles, keepPlaces } from "./locate-prompts.ts";
import { type Location, locationsIn, pathsIn } from "./replies.ts";

/**
 * The code that the issue is about, as a developer is shown it: files by their names, then by their
 * outlines, places in each, and the places that matter of all. A call that gives nothing usable
 * leaves what the one before it gave. Empty when no file was found.
 */
export async function locate(run: WorkflowRun): Promise<string> {
  const { filesFound, filesKept } = run.config.workflow.experepair;
  const found = (await askFiles(run, findFiles(run, tree(run), filesFound), filesFound)) ?? [];
  const first = found.length > 0 ? found : namedInIssue(run).slice(0, filesFound);
  const texts = await textsOf(run, first);
  const outlines = sections(...[...texts].map(([path, text]) => outlined(path, text)));
  const kept = await askFiles(run, keepFiles(run, outlines, filesKept), filesKept, texts);
  const files = new Map([...texts].filter(([path]) => (kept ?? first).includes(path)));
  const chosen = new Map([...files].slice(0, filesKept));
  if (chosen.size === 0) return "";
  const places = await findIn(run, chosen);
  return excerpts(run, chosen, places, false);
}

type Texts = ReadonlyMap<string, string>;

const tree = (run: WorkflowRun) => treeText(run.files, run.config.workflow.experepair.treeChars);

const outlined = (path: string, text: string) =>
  `${path}:\n${tagged("outline", outlineOf(text) || text.split("\n").slice(0, 20).join("\n"))}`;

/** Files whose path or name stands in the issue. */
const namedInIssue = ({ files, issue }: WorkflowRun) =>
  files.filter((path) => issue.includes(path) || issue.includes(`/${path.split("/").at(-1)}`));

async function textsOf(run: WorkflowRun, paths: readonly string[]): Promise<Texts> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const text = await run.read(path);
    if (text !== null) texts.set(path, text);
  }
  return texts;
}

/** Asks for files; null: nothing usable came. `known` left out: any file of the repository. */
function askFiles(
  run: WorkflowRun,
  messages: readonly Message[],
  max: number,
  known?: Texts,
): Promise<readonly string[] | null> {
  const files = new Set(known?.keys() ?? run.files);
  const { tries } = run.config.workflow.experepair;
  return askUntil(run, { purpose: "locate", messages, tries }, (reply) => {
    const paths = pathsIn(reply, files, max);
    return paths.length > 0 ? paths : new Complaint("it names no file of those listed");
  });
}

async function findIn(run: WorkflowRun, files: Texts): Promise<readonly Location[]> {
  const { fileChars, locationsPerFile } = run.config.workflow.experepair;
  const texts = sections(
    ...[...files].map(
      ([path, text]) => `${path}:\n${tagged("code", numberedText(text, fileChars))}`,
    ),
  );
  const found = await askPlaces(run, findPlaces(run, texts, locationsPerFile), files);
  const places = found ?? [...files.keys()].map((file) => ({ file, from: 1, to: 200 }));
  const shown = excerpts(run, files, places, true);
  return (await askPlaces(run, keepPlaces(run, shown), files)) ?? places;
}

function askPlaces(
  run: WorkflowRun,
  messages: readonly Message[],
  files: Texts,
): Promise<readonly Location[] | null> {
  const { tries } = run.config.workflow.experepair;
  const paths = new Set(files.keys());
  return askUntil(run, { purpose: "locate", messages, tries }, (reply) => {
    const places = locationsIn(reply, paths).filter((place) => isInside(place, files));
    return places.length > 0 ? places : new Complaint("it names no place of the form path:from-to");
  });
}

const isInside = ({ file, from }: Location, files: Texts) =>
  from <= (files.get(file)?.split("\n").length ?? 0);

function excerpts(
  run: WorkflowRun,
  files: Texts,
  places: readonly Location[],
  withNumbers: boolean,
): string {
  const merged = mergePlaces(places, run.config.workflow.experepair.contextLines);
  return sections(
    ...merged.map((place) => excerptOf(files.get(place.file) ?? "", place, withNumbers)),
  );
}
