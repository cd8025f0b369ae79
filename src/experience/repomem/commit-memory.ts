import type { TermIndex } from "../../domain/bank.ts";
import type { RepoMemConfig } from "../../domain/config/repomem.ts";
import { indexOf } from "../term-index.ts";
import { codeAware, type Tokenize, whitespace } from "../tokenize.ts";
import { type Commit, shortOf } from "./commit.ts";
import { followMoves } from "./moves.ts";

/** The episodic memory: retained commits, to be searched by their messages. */
export interface CommitMemory {
  /** Newest first. */
  readonly commits: readonly Commit[];
  /** For each commit the files that it changed, by the names that they have at the base. */
  readonly changed: readonly (readonly string[])[];
  /** A record is a commit's place. */
  readonly messages: TermIndex;
  /** The terms of each message. */
  readonly terms: readonly (readonly string[])[];
  readonly tokenize: Tokenize;
  /** By the nine digits that tools show. */
  readonly byShort: ReadonlyMap<string, Commit>;
}

export const tokenizers: Readonly<Record<RepoMemConfig["tokenizer"], Tokenize>> = {
  code: codeAware,
  whitespace,
};

/**
 * `files`: what the repository holds at the base; null: not known, and then what was moved away is
 * all that is known to be gone. `termsOf`: terms of a message, where they are kept from earlier.
 */
export function rememberCommits(
  commits: readonly Commit[],
  options: {
    readonly files: readonly string[] | null;
    readonly tokenize: Tokenize;
    readonly moves: boolean;
    readonly termsOf?: (commit: Commit) => readonly string[];
  },
): CommitMemory {
  const { files, tokenize, moves } = options;
  const { termsOf = ({ message }) => tokenize(message) } = options;
  const standing = files && new Set(files);
  const today = moves ? followMoves(commits) : (path: string) => path;
  const changed = commits.map((commit) => {
    const named = new Set(commit.files.map(today));
    return [...named].filter((file) => standing === null || standing.has(file));
  });
  const terms = commits.map(termsOf);
  const byShort = new Map(commits.map((commit) => [shortOf(commit), commit]));
  return { commits, changed, messages: indexOf(terms), terms, tokenize, byShort };
}
