import type { Commit } from "../../../src/experience/repomem/commit.ts";

/** A commit with no more than matters; its sha is its name, filled up. */
export function made(name: string, given: Partial<Commit> = {}): Commit {
  const sha = name.padEnd(40, "0");
  return { sha, parents: [], message: name, committedAt: 0, files: [], moves: [], ...given };
}

export const graphOf = (commits: readonly Commit[]): ReadonlyMap<string, Commit> =>
  new Map(commits.map((commit) => [commit.sha, commit]));
