import type { RepoMemConfig } from "../../domain/config/repomem.ts";
import type { Commit, IssueEntry, Target } from "./commit.ts";
import { type CommitMemory, rememberCommits, tokenizers } from "./commit-memory.ts";
import { followMoves } from "./moves.ts";
import { type Retained, retain } from "./retain.ts";

/** What is known of a repository before its base. */
export interface Past {
  readonly base: string;
  /** The base and its ancestors, newest first. */
  readonly commits: readonly Commit[];
  /** Paths at the base; null: not known, and then those that history has touched stand for them. */
  readonly files: readonly string[] | null;
  readonly issues?: readonly IssueEntry[];
}

export interface Built extends Omit<Retained, "commits"> {
  readonly memory: CommitMemory;
  /** Files that may be asked for. */
  readonly files: readonly string[];
}

/** The memory of a repository for one issue. `termsOf`: as `rememberCommits` takes it. */
export function buildMemory(
  past: Past,
  target: Target,
  config: RepoMemConfig,
  termsOf?: (commit: Commit) => readonly string[],
): Built {
  const { commits, ...dropped } = retain(past.commits, target, rulesOf(past, config), past.issues);
  const memory = rememberCommits(commits, {
    files: past.files,
    tokenize: tokenizers[config.tokenizer],
    moves: config.moves,
    ...(termsOf === undefined ? {} : { termsOf }),
  });
  return { ...dropped, memory, files: past.files ?? touchedBefore(past, target, config) };
}

const rulesOf = ({ base }: Past, { window, leakFilter }: RepoMemConfig) => ({
  base,
  window,
  leakFilter,
});

/** What history has touched before the issue was written, by today's names. */
function touchedBefore(past: Past, target: Target, { moves }: RepoMemConfig): readonly string[] {
  const rules = { base: past.base, window: Number.MAX_SAFE_INTEGER, leakFilter: false };
  const { commits } = retain(past.commits, target, rules);
  const today = moves ? followMoves(commits) : (path: string) => path;
  return [...new Set(commits.flatMap(({ files }) => files.map(today)))];
}
