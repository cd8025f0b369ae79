import type { TermIndex } from "../../domain/bank.ts";
import { bm25 } from "../bm25.ts";
import { indexOf } from "../term-index.ts";
import type { Tokenize } from "../tokenize.ts";
import type { CommitMemory } from "./commit-memory.ts";
import { isCode } from "./files.ts";

/** What a model said of a file, and what that cost. */
export interface FileSummary {
  readonly file: string;
  /** Commits of the window that changed it. */
  readonly edits: number;
  readonly summary: string;
  /** Git's name of the text that was read. */
  readonly sourceSha: string;
  readonly model: string;
  /** null: the price is not known. */
  readonly costUsd: number | null;
}

export interface EditedFile {
  readonly file: string;
  readonly edits: number;
}

/**
 * The files that most commits changed, of those that stand at the base and hold code; of equals the
 * one that changed last, then by path (arXiv:2510.01003; ties are our choice).
 */
export function mostEdited(
  { changed }: CommitMemory,
  standing: ReadonlySet<string>,
  most: number,
): readonly EditedFile[] {
  const counts = new Map<string, { edits: number; last: number }>();
  changed.forEach((files, place) => {
    for (const file of files) {
      const { edits, last } = counts.get(file) ?? { edits: 0, last: place };
      counts.set(file, { edits: edits + 1, last });
    }
  });
  return [...counts]
    .filter(([file]) => standing.has(file) && isCode(file))
    .sort(([a, x], [b, y]) => y.edits - x.edits || x.last - y.last || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([file, { edits }]) => ({ file, edits }));
}

/** The semantic memory. */
export interface SummaryMemory {
  readonly summaries: readonly FileSummary[];
  /** A record is a summary's place; a file's path counts as part of it. */
  readonly index: TermIndex;
  readonly tokenize: Tokenize;
}

export function rememberSummaries(
  summaries: readonly FileSummary[],
  tokenize: Tokenize,
): SummaryMemory {
  const index = indexOf(summaries.map(({ file, summary }) => tokenize(`${file}\n${summary}`)));
  return { summaries, index, tokenize };
}

/** Best first. */
export function searchSummaries(
  { summaries, index, tokenize }: SummaryMemory,
  query: string,
  most: number,
): readonly { readonly found: FileSummary; readonly score: number }[] {
  const scores = bm25(
    tokenize(query),
    index,
    summaries.map((_, place) => place),
  );
  return summaries
    .map((found, place) => ({ found, score: scores[place] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.found.file < other.found.file ? -1 : 1))
    .slice(0, most);
}
