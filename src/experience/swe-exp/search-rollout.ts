import type { Step } from "../../domain/episode.ts";
import {
  pathTo,
  type SearchNode,
  type SearchState,
  type SearchTree,
} from "../../domain/search-tree.ts";

/**
 * The path of a search that is learned from (the published code): of one that resolved its issue
 * the shortest that ends with the chosen change, of another the longest that finished, else the
 * longest there is.
 */
export function rolloutOf({ tree, choice }: SearchState, resolved: boolean): readonly Step[] {
  const end = resolved ? shortest(tree, choice?.node ?? 0) : longest(tree);
  const path = end === null ? [] : pathTo(tree, end.id);
  return path.filter(({ parent }) => parent !== null).map(stepOf);
}

function shortest(tree: SearchTree, chosen: number): SearchNode | null {
  const node = tree[chosen];
  if (node === undefined) return null;
  const alike = tree.filter(({ finished, duplicate, diff }) => {
    return finished && !duplicate && diff === node.diff;
  });
  return alike.reduce((best, one) => (one.depth < best.depth ? one : best), node);
}

function longest(tree: SearchTree): SearchNode | null {
  const leaves = tree.filter(({ children, duplicate }) => children.length === 0 && !duplicate);
  const finished = leaves.filter((node) => node.finished);
  const among = finished.length > 0 ? finished : leaves;
  return among.reduce<SearchNode | null>(
    (best, one) => (best === null || one.depth > best.depth ? one : best),
    null,
  );
}

function stepOf(node: SearchNode): Step {
  const { instruction, action, observation, expectsCorrection, error } = node;
  return {
    index: node.depth,
    thought:
      instruction === null ? "" : `${instruction.thoughts} ${instruction.instructions}`.trim(),
    command: action === null ? "" : `${action.tool} ${JSON.stringify(action.input)}`,
    output: observation,
    exitCode: expectsCorrection || error !== null ? 1 : 0,
    timedOut: false,
  };
}
