import type { Commit } from "./commit.ts";
import { baseNameOf } from "./files.ts";

/** What a path is called today: itself unless it was moved. */
export type Today = (path: string) => string;

/**
 * Follows moves: those that git saw, and those that a list of changed paths alone tells, where a
 * commit is the last to touch one path and the first to touch a single other of the same name.
 * `commits`: newest first. Our choice: a package that was moved as a whole would lose its history.
 */
export function followMoves(commits: readonly Commit[]): Today {
  const { last, first } = touches(commits);
  const moved = new Map<string, string>();
  for (const commit of commits) {
    const seen = commit.moves.filter(([before]) => last.get(before) === commit.sha);
    const told = seen.length > 0 ? seen : movesIn(commit, last, first);
    for (const [before, after] of told) if (!moved.has(before)) moved.set(before, after);
  }
  return (path) => {
    const passed = new Set<string>();
    let now = path;
    for (let next = moved.get(now); next !== undefined && !passed.has(now); next = moved.get(now)) {
      passed.add(now);
      now = next;
    }
    return now;
  };
}

type Touch = ReadonlyMap<string, string>;

function touches(commits: readonly Commit[]): { readonly last: Touch; readonly first: Touch } {
  const last = new Map<string, string>();
  const first = new Map<string, string>();
  for (const { sha, files } of commits) {
    for (const file of files) {
      if (!last.has(file)) last.set(file, sha);
      first.set(file, sha);
    }
  }
  return { last, first };
}

function movesIn(
  { sha, files }: Commit,
  last: Touch,
  first: Touch,
): readonly (readonly [string, string])[] {
  const gone = files.filter((file) => last.get(file) === sha && first.get(file) !== sha);
  if (gone.length === 0) return [];
  const arrived = files.filter((file) => first.get(file) === sha);
  return gone.flatMap((before) => {
    const name = baseNameOf(before);
    const [after, ...others] = arrived.filter((path) => baseNameOf(path) === name);
    return after === undefined || others.length > 0 ? [] : [[before, after] as const];
  });
}
