import { pathTo, type SearchNode, type SearchTree } from "../../domain/search-tree.ts";

/** What a node stands for: the code seen on the way to it, and what it has changed. */
export interface NodeContext {
  /** Line numbers by file. */
  readonly lines: ReadonlyMap<string, ReadonlySet<number>>;
  /** Changed lines by file, as the diff shows them. */
  readonly changes: ReadonlyMap<string, readonly string[]>;
}

export function contextOf(tree: SearchTree, node: SearchNode): NodeContext {
  const changes = changesIn(node.diff);
  const lines = new Map<string, Set<number>>();
  for (const file of changes.keys()) lines.set(file, new Set());
  for (const { file, start, end } of pathTo(tree, node.id).flatMap(({ seen }) => seen)) {
    const known = lines.get(file) ?? new Set<number>();
    for (let line = start; line <= end; line++) known.add(line);
    lines.set(file, known);
  }
  return { lines, changes };
}

/** Shares of files, lines and changes in a likeness. The published code's. */
const weights = { files: 0.4, spans: 0.2, patch: 0.4 };

/**
 * How alike two nodes are, from 0 to 1: files seen or changed, lines of the common files, and what
 * was changed in those. A common file that neither has changed counts as changed alike.
 */
export function similarity(a: NodeContext, b: NodeContext): number {
  const files = jaccard(new Set(a.lines.keys()), new Set(b.lines.keys()));
  const common = [...a.lines.keys()].filter((file) => b.lines.has(file));
  const spans = mean(common.map((file) => jaccard(linesOf(a, file), linesOf(b, file))));
  const patch = mean(common.map((file) => likeness(changesOf(a, file), changesOf(b, file))));
  return weights.files * files + weights.spans * spans + weights.patch * patch;
}

const none: ReadonlySet<number> = new Set();
const linesOf = ({ lines }: NodeContext, file: string) => lines.get(file) ?? none;
const changesOf = ({ changes }: NodeContext, file: string) => changes.get(file) ?? [];

const mean = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** 1 where both are empty. */
function jaccard<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  const shared = [...a].filter((one) => b.has(one)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 1 : shared / all;
}

/** Share of lines that both have, each counted as often as it stands there. */
function likeness(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1;
  const left = new Map<string, number>();
  for (const line of a) left.set(line, (left.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of b) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    shared += 1;
  }
  return (2 * shared) / (a.length + b.length);
}

/** Added and removed lines by the file that a unified diff names. */
function changesIn(diff: string): ReadonlyMap<string, readonly string[]> {
  const changes = new Map<string, string[]>();
  let file: string | null = null;
  for (const line of diff.split("\n")) {
    const header = /^diff --git a\/.* b\/(.*)$/.exec(line);
    if (header?.[1] !== undefined) {
      file = header[1];
      changes.set(file, []);
    } else if (file !== null && /^[+-](?!\+\+ |-- )/.test(line)) {
      changes.get(file)?.push(line);
    }
  }
  return changes;
}
