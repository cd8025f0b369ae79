import type { Commit, IssueEntry, Target } from "./commit.ts";
import { subjectOf } from "./commit.ts";
import { linkedIssues, namedNumbers } from "./links.ts";
import { type Compared, compared, overlaps } from "./overlap.ts";

export interface RetainRules {
  /** Left out itself. */
  readonly base: string;
  /** Commits before the base; merges, whose message has no patch, take no room. */
  readonly window: number;
  readonly leakFilter: boolean;
}

/** What is remembered of a history, and how much was left out of the window. */
export interface Retained {
  /** Newest first. */
  readonly commits: readonly Commit[];
  /** Committed when the issue had been written, or at an unknown time. */
  readonly later: number;
  /** Linked to an issue that says what the target says, or saying it themselves. */
  readonly leaked: number;
}

/**
 * The commits before the base that a memory may hold: those of the window, without those that are
 * no older than the issue and those that could tell its solution (arXiv:2510.01003).
 * `history`: the base and its ancestors, newest first. `issues`: those that are known.
 */
export function retain(
  history: Iterable<Commit>,
  target: Target,
  rules: RetainRules,
  issues: readonly IssueEntry[] = [],
): Retained {
  const window = windowOf(history, rules);
  const { createdAt } = target;
  const isEarlier = ({ committedAt }: Commit) =>
    createdAt === null || (committedAt !== null && committedAt < createdAt);
  const earlier = window.filter(isEarlier);
  const leaks = rules.leakFilter ? leakTest(target, issues) : () => false;
  const commits = earlier.filter((commit) => !leaks(commit));
  return {
    commits,
    later: window.length - earlier.length,
    leaked: earlier.length - commits.length,
  };
}

function windowOf(history: Iterable<Commit>, { base, window: size }: RetainRules): Commit[] {
  const window: Commit[] = [];
  for (const commit of history) {
    if (commit.sha !== base && commit.parents.length < 2) window.push(commit);
    if (window.length === size) break;
  }
  return window;
}

/** A message counts as a text about its issue, because that issue is often not at hand (our choice). */
function leakTest(target: Target, issues: readonly IssueEntry[]): (commit: Commit) => boolean {
  const text = compared(target.issue);
  const twins = issues.filter((issue) => overlaps(issue, text)).map(({ id }) => id);
  const overlapping = new Set([...twins, ...target.numbers]);
  const own = new Set(target.numbers);
  return (commit) =>
    linkedIssues(commit.message).some((number) => overlapping.has(number)) ||
    namedNumbers(commit.message).some((number) => own.has(number)) ||
    saysTheSame(commit, text);
}

function saysTheSame(commit: Commit, target: Compared): boolean {
  const title = subjectOf(commit);
  return overlaps({ title, body: commit.message.trimStart().slice(title.length) }, target);
}
