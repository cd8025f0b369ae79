import { type RawPath, showPath, unquote } from "./paths.ts";

/** The repository-relative paths that a patch changes, for people and records, sorted. */
export function filesOf(patch: Uint8Array): string[] {
  return changedPaths(patch).map(showPath).sort();
}

/**
 * The paths that a patch changes, each once; a rename gives both names. Reads git's extended headers
 * and plain unified ones (`---`, `+++`), and counts the lines of each hunk, so that a removed line
 * `-- x` is not taken for a header. Names are what `git apply -p1` would take: one leading component
 * is dropped.
 */
export function changedPaths(patch: Uint8Array): RawPath[] {
  const names = new Set<RawPath>();
  const add = (name: RawPath | null) => name !== null && names.add(name);
  let hunk: Hunk | null = null;
  /** The name of a `diff --git` line counts only if no more exact line follows it. */
  let opened: RawPath | null = null;
  let previous = "";
  for (const line of linesOf(patch)) {
    if (hunk) {
      hunk = advance(hunk, line);
      continue;
    }
    hunk = hunkAt(line);
    if (line.startsWith(opening)) {
      add(opened);
      opened = sameName(line.slice(opening.length));
    }
    const exact = exactNames(line, previous);
    exact.forEach(add);
    if (exact.length > 0) opened = null;
    previous = line;
  }
  add(opened);
  return [...names];
}

const opening = "diff --git ";

function* linesOf(patch: Uint8Array): Generator<string> {
  const text = Buffer.from(patch).toString("latin1");
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    yield text.slice(start, end).replace(/\r$/, "");
    start = end + 1;
  }
}

/** Lines that a hunk still owes, on each side. */
interface Hunk {
  readonly old: number;
  readonly new: number;
}

function hunkAt(line: string): Hunk | null {
  const match = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
  return match && owed({ old: Number(match[1] ?? 1), new: Number(match[2] ?? 1) });
}

function owed(hunk: Hunk): Hunk | null {
  return hunk.old > 0 || hunk.new > 0 ? hunk : null;
}

function advance(hunk: Hunk, line: string): Hunk | null {
  if (line.startsWith("-")) return owed({ ...hunk, old: hunk.old - 1 });
  if (line.startsWith("+")) return owed({ ...hunk, new: hunk.new - 1 });
  if (line.startsWith("\\")) return hunk;
  return owed({ old: hunk.old - 1, new: hunk.new - 1 });
}

/** Names that a line states beyond doubt: one side of a move, or the `+++` after a `---`. */
function exactNames(line: string, previous: string): RawPath[] {
  const moved = /^(?:rename|copy) (?:from|to) (.+)$/s.exec(line)?.[1];
  if (moved !== undefined) return [unquote(moved)?.raw ?? moved];
  if (!(line.startsWith("+++ ") && previous.startsWith("--- "))) return [];
  return [previous, line].map((side) => sideName(side.slice(4))).filter((name) => name !== null);
}

/** The name on a `diff --git` line, which is unambiguous only when both sides are the same. */
function sameName(pair: string): RawPath | null {
  const quoted = unquote(pair);
  if (quoted) return stripFirst(quoted.raw);
  const middle = (pair.length - 1) / 2;
  const [left, right] = [stripFirst(pair.slice(0, middle)), stripFirst(pair.slice(middle + 1))];
  return pair[middle] === " " && left === right ? left : null;
}

/** The name on a `---` or `+++` line; a tab ends it, as before the time that plain diffs print. */
function sideName(side: string): RawPath | null {
  const name = unquote(side)?.raw ?? side.replace(/\t.*$/s, "");
  return name === "/dev/null" ? null : stripFirst(name);
}

function stripFirst(path: RawPath): RawPath {
  return path.slice(path.indexOf("/") + 1);
}
