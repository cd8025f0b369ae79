import type { MemoryNode } from "./node.ts";

/**
 * Recalled nodes in the order in which they are worth showing, because only a few are: first those
 * that read a file which none before them read, one a turn, then the others; both in the given
 * order. A call that only says what it reads gives way to its result. Our choice: four views of one
 * file tell less than one view of each of four, and a file that was edited since reads differently
 * now.
 */
export function inShowingOrder(nodes: readonly MemoryNode[]): readonly MemoryNode[] {
  const seenFiles = new Set<number>();
  const seenTurns = new Set<number>();
  const leading = new Set<MemoryNode>();
  for (const node of nodes) {
    const fresh = filesRead(node).filter((file) => !seenFiles.has(file));
    if (fresh.length === 0 || seenTurns.has(node.turn)) continue;
    leading.add(resultOf(node, nodes));
    seenTurns.add(node.turn);
    for (const file of fresh) seenFiles.add(file);
  }
  return [...leading, ...nodes.filter((node) => !leading.has(node))];
}

/** The recalled result of a recalled call, else the node itself. */
function resultOf(node: MemoryNode, nodes: readonly MemoryNode[]): MemoryNode {
  const result = nodes.find(({ role, turn }) => role === "tool" && turn === node.turn);
  return node.role === "assistant" && result !== undefined ? result : node;
}

/** What the node's command read without changing it. */
function filesRead({ files, read, edits }: MemoryNode): readonly number[] {
  return files.slice(0, read).filter((file) => !edits.includes(file));
}
