import { join } from "node:path";
import type { RepoMemConfig } from "../../domain/config/repomem.ts";
import { plural } from "../../domain/quantities.ts";
import type { RepoMemory } from "../../experience/repomem/answers.ts";
import { patchFrom } from "../../experience/repomem/patch-of.ts";
import {
  type FileSummary,
  mostEdited,
  rememberSummaries,
  type SummaryMemory,
} from "../../experience/repomem/summary.ts";
import type { KnownPast } from "./read-past.ts";

/** Where summaries of a repository's files are kept. */
export const summaryPlace = (stateFolder: string) => join(stateFolder, "summaries.jsonl");

type Source = Pick<KnownPast, "history" | "built" | "git"> & Partial<Pick<KnownPast, "issues">>;

/** What the four tools look into; a sparse history is left out by the gate. */
export function repoMemoryOf(
  { history, built, git, issues = [] }: Source,
  summaries: readonly FileSummary[],
  config: RepoMemConfig,
): RepoMemory {
  const isRich = history.total >= config.gate;
  return {
    commits: config.episodic && isRich ? built.memory : null,
    summaries: config.semantic && isRich ? semantic(history, summaries, built, config) : null,
    issues,
    patchChars: config.patchChars,
    topCommits: config.topCommits,
    topSummaries: config.topSummaries,
    patchOf: patchFrom(git),
  };
}

/** What people must know of a history that holds little. */
export function sparseness(
  { shallow, total }: Pick<KnownPast["history"], "shallow" | "total">,
  { gate }: RepoMemConfig,
): readonly string[] {
  const commits = plural(total, "commit");
  return [
    shallow
      ? `This is a shallow clone: it holds ${commits} before the base. For the rest: git fetch --unshallow`
      : "",
    total < gate
      ? `The history has ${commits}, fewer than experience.repomem.gate ${gate}: memory says nothing.`
      : "",
  ].filter((line) => line !== "");
}

/** Only what was said of the files that changed most, each as it stands at the base, counts. */
function semantic(
  { blobs }: KnownPast["history"],
  summaries: readonly FileSummary[],
  { memory }: KnownPast["built"],
  { summarised }: RepoMemConfig,
): SummaryMemory | null {
  const edited = mostEdited(memory, new Set(blobs.keys()), summarised);
  const wanted = new Set(edited.map(({ file }) => file));
  const newest = new Map<string, FileSummary>();
  for (const summary of summaries) {
    const { file, sourceSha } = summary;
    if (wanted.has(file) && blobs.get(file) === sourceSha) newest.set(file, summary);
  }
  return newest.size === 0 ? null : rememberSummaries([...newest.values()], memory.tokenize);
}
