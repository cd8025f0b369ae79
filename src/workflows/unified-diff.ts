/** Lines shown around a change, as git does. */
const context = 3;

/** Cells of the table that finds what two stretches share; larger ones are one replacement. */
const maxCells = 1_000_000;

/** A run of lines that were removed and those that stand in their place. `from` counts from 0. */
interface Change {
  readonly from: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * One file's change in git's format; empty when nothing changed. `before` null: a new file. Line
 * ends are kept as they are, and a missing one at the end is told as git tells it.
 */
export function unifiedDiff(path: string, before: string | null, after: string): string {
  if (before === after) return "";
  const old = linesOf(before ?? "");
  const hunks = group(changesBetween(old, linesOf(after)));
  let shift = 0;
  const body = hunks.map((changes) => {
    const text = hunkOf(old, changes, shift);
    for (const { removed, added } of changes) shift += added.length - removed.length;
    return text;
  });
  const names = before === null ? ["/dev/null", `b/${path}`] : [`a/${path}`, `b/${path}`];
  const created = before === null ? "new file mode 100644\n" : "";
  const heads = body.length === 0 ? "" : `--- ${names[0]}\n+++ ${names[1]}\n`;
  return `diff --git a/${path} b/${path}\n${created}${heads}${body.join("")}`;
}

/** Lines with their ends. */
const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function changesBetween(old: readonly string[], now: readonly string[]): readonly Change[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const room = Math.min(old.length, now.length) - start;
  while (end < room && old.at(-1 - end) === now.at(-1 - end)) end++;
  const from = old.slice(start, old.length - end);
  const to = now.slice(start, now.length - end);
  if (from.length === 0 && to.length === 0) return [];
  if (from.length * to.length > maxCells) return [{ from: start, removed: from, added: to }];
  return middleChanges(start, from, to);
}

/** By the longest common subsequence: the fewest lines are removed and added. */
function middleChanges(
  start: number,
  from: readonly string[],
  to: readonly string[],
): readonly Change[] {
  const common = commonLengths(from, to);
  const changes: Change[] = [];
  for (let i = 0, j = 0; i < from.length || j < to.length; ) {
    const [fromEnd, toEnd] = changeEnd(common, from, to, [i, j]);
    if (fromEnd > i || toEnd > j) {
      changes.push({
        from: start + i,
        removed: from.slice(i, fromEnd),
        added: to.slice(j, toEnd),
      });
    }
    // The next line is in both, unless this is the end.
    [i, j] = [fromEnd + 1, toEnd + 1];
  }
  return changes;
}

/** Where the next line that both share stands. */
function changeEnd(
  common: Table,
  from: readonly string[],
  to: readonly string[],
  [i, j]: readonly [number, number],
): readonly [number, number] {
  let [here, there] = [i, j];
  while (here < from.length && there < to.length) {
    if (from[here] === to[there]) return [here, there];
    if (at(common, here + 1, there) >= at(common, here, there + 1)) here++;
    else there++;
  }
  return [from.length, to.length];
}

type Table = readonly Uint32Array[];

const at = (table: Table, i: number, j: number) => table[i]?.[j] ?? 0;

/** How many lines the rests from i and from j share. */
function commonLengths(from: readonly string[], to: readonly string[]): Table {
  const table = Array.from({ length: from.length + 1 }, () => new Uint32Array(to.length + 1));
  for (let i = from.length - 1; i >= 0; i--) {
    const row = table[i];
    for (let j = to.length - 1; row !== undefined && j >= 0; j--) {
      row[j] =
        from[i] === to[j]
          ? at(table, i + 1, j + 1) + 1
          : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
}

/** Changes whose surroundings touch are one hunk. */
function group(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    const gap = last ? change.from - last.from - last.removed.length : Number.POSITIVE_INFINITY;
    if (gap <= 2 * context) hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunkOf(old: readonly string[], changes: readonly Change[], shift: number): string {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return "";
  const start = Math.max(0, first.from - context);
  const end = Math.min(old.length, last.from + last.removed.length + context);
  const lines: string[] = [];
  let here = start;
  let grown = 0;
  for (const { from, removed, added } of changes) {
    lines.push(...marked(" ", old.slice(here, from)), ...marked("-", removed));
    lines.push(...marked("+", added));
    here = from + removed.length;
    grown += added.length - removed.length;
  }
  lines.push(...marked(" ", old.slice(here, end)));
  const range = (from: number, count: number) =>
    `${count === 0 ? from : from + 1}${count === 1 ? "" : `,${count}`}`;
  const length = end - start;
  return `@@ -${range(start, length)} +${range(start + shift, length + grown)} @@\n${lines.join("")}`;
}

const marked = (sign: string, lines: readonly string[]) =>
  lines.map(
    (line) => `${sign}${line}${line.endsWith("\n") ? "" : "\n\\ No newline at end of file\n"}`,
  );
