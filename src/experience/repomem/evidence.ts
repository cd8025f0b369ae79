import type { TermIndex } from "../../domain/bank.ts";
import { bm25 } from "../bm25.ts";
import { indexOf } from "../term-index.ts";
import type { CommitMemory } from "./commit-memory.ts";
import { baseNameOf } from "./files.ts";

/** How strongly one kind of evidence speaks for each file, 0 and above. */
export type Evidence = ReadonlyMap<string, number>;

/** A commit that changed more files says little about each. Our choice. */
const mostFilesOfHistory = 10;
/** Commits after which a change counts a third. Our choice. */
const recencyDecay = 500;

const placesOf = (index: TermIndex) => Array.from({ length: index.lengths.length }, (_, at) => at);

/** The most similar commits with their scores, best first; of equals the newest. */
export function similarCommits(
  memory: CommitMemory,
  query: readonly string[],
  most: number,
): readonly { readonly place: number; readonly score: number }[] {
  const scores = bm25(query, memory.messages, placesOf(memory.messages));
  return [...scores]
    .map((score, place) => ({ place, score }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.place - other.place)
    .slice(0, most);
}

/**
 * Similar commits vote for what they changed: the square of their score against the best one's, and
 * less the more files they changed (its root). Our choice.
 */
export function votes(memory: CommitMemory, query: readonly string[], voters: number): Evidence {
  const similar = similarCommits(memory, query, voters);
  const best = similar[0]?.score ?? 1;
  const sums = new Map<string, number>();
  for (const { place, score } of similar) {
    const { files } = memory.commits[place] ?? { files: [] };
    const vote = (score / best) ** 2 / Math.sqrt(files.length);
    for (const file of memory.changed[place] ?? []) add(sums, file, vote);
  }
  return sums;
}

/** Texts about files, one a file, to be asked several times. */
export interface FileTexts {
  readonly files: readonly string[];
  readonly index: TermIndex;
}

/** What the small commits of each file say, all together. */
export function historiesOf(memory: CommitMemory, files: readonly string[]): FileTexts {
  const texts = new Map(files.map((file): [string, string[]] => [file, []]));
  memory.changed.forEach((changed, place) => {
    const { files: all } = memory.commits[place] ?? { files: [] };
    if (all.length > mostFilesOfHistory) return;
    for (const file of changed) texts.get(file)?.push(...(memory.terms[place] ?? []));
  });
  return { files, index: indexOf([...texts.values()]) };
}

/** The words of each path, its own name's twice: folders say less. */
export function pathsOf(memory: CommitMemory, files: readonly string[]): FileTexts {
  const texts = files.map((file) => {
    const name = baseNameOf(file).replace(/\.[^.]+$/, "");
    const folders = file.split("/").slice(0, -1);
    return [...folders, name, name].flatMap((part) => memory.tokenize(part));
  });
  return { files, index: indexOf(texts) };
}

export function matches({ files, index }: FileTexts, query: readonly string[]): Evidence {
  const scores = bm25(query, index, placesOf(index));
  return new Map(
    files.flatMap((file, at): [string, number][] =>
      (scores[at] ?? 0) > 0 ? [[file, scores[at] ?? 0]] : [],
    ),
  );
}

/** How often and how lately each file changed. */
export function recency(memory: CommitMemory): Evidence {
  const sums = new Map<string, number>();
  memory.changed.forEach((changed, place) => {
    const { files } = memory.commits[place] ?? { files: [] };
    const share = Math.exp(-place / recencyDecay) / Math.sqrt(files.length);
    for (const file of changed) add(sums, file, share);
  });
  return sums;
}

/** Each against the strongest, times a weight, summed. */
export function weigh(parts: readonly (readonly [evidence: Evidence, weight: number])[]): Evidence {
  const sums = new Map<string, number>();
  for (const [evidence, weight] of parts) {
    let most = 0;
    for (const value of evidence.values()) most = Math.max(most, value);
    if (most === 0 || weight === 0) continue;
    for (const [file, value] of evidence) add(sums, file, (weight * value) / most);
  }
  return sums;
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}
