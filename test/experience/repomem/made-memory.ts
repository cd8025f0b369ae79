import type { RepoMemory } from "../../../src/experience/repomem/answers.ts";
import type { Commit } from "../../../src/experience/repomem/commit.ts";
import { rememberCommits } from "../../../src/experience/repomem/commit-memory.ts";
import { type FileSummary, rememberSummaries } from "../../../src/experience/repomem/summary.ts";
import { codeAware } from "../../../src/experience/tokenize.ts";

export function summaryOf(file: string, summary: string): FileSummary {
  return { file, edits: 1, summary, sourceSha: "s", model: "test:model", costUsd: 0 };
}

/** A memory of these commits, whose patches are made from their names. */
export function memoryOf(
  commits: readonly Commit[],
  summaries: readonly FileSummary[] = [],
): RepoMemory {
  return {
    commits: rememberCommits(commits, { files: null, tokenize: codeAware, moves: true }),
    summaries: rememberSummaries(summaries, codeAware),
    issues: [{ id: "12", title: "It breaks", body: "Often." }],
    patchChars: 40,
    topCommits: 20,
    topSummaries: 5,
    patchOf: async ({ sha }) => `diff --git a/${sha} b/${sha}\n+more than forty characters\n`,
  };
}
