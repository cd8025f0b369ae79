import type { SweExpSearchConfig } from "../../domain/config/swe-exp-search.ts";
import {
  meanTrajectoryReward,
  type SearchNode,
  type SearchTree,
} from "../../domain/search-tree.ts";
import { scorer, uctScore } from "./uct.ts";

type Rules = Pick<SweExpSearchConfig, "maxNodes" | "maxExpansions" | "maxFinished" | "uct">;

/** Whether a node may get another child. */
function isExpandable(node: SearchNode, { maxExpansions }: Pick<Rules, "maxExpansions">) {
  return !node.terminal && !node.duplicate && node.children.length < maxExpansions;
}

/** The node to go on from: the best score, of equal ones the oldest. null: none can be expanded. */
export function selectNode(tree: SearchTree, rules: Rules): SearchNode | null {
  const score = scorer(tree, rules.uct);
  return highest(
    tree.filter((node) => isExpandable(node, rules)),
    (node) => uctScore(node, score),
  );
}

/** Why a search is over, as a sentence; null: it goes on. */
export function searchEnd(tree: SearchTree, rules: Rules): string | null {
  if (tree.length >= rules.maxNodes) return `the tree has ${tree.length} nodes`;
  const parents = new Set(finishedNodes(tree).map(({ parent }) => parent));
  if (parents.size >= rules.maxFinished) return `${parents.size} paths came to a finish`;
  if (!tree.some((node) => isExpandable(node, rules))) return "no node can be expanded";
  return null;
}

/** A duplicate of a finish is none: it was not carried out. */
function finishedNodes(tree: SearchTree): readonly SearchNode[] {
  return tree.filter(({ finished, duplicate }) => finished && !duplicate);
}

/**
 * The nodes of which one is the search's answer: those that finished, else the leaves; and of both
 * those that changed something, as far as there are any (our choice: nothing else can resolve it).
 */
export function candidates(tree: SearchTree): readonly SearchNode[] {
  const leaves = tree.filter(({ children, duplicate }) => children.length === 0 && !duplicate);
  const choices = [finishedNodes(tree), leaves];
  const changed = choices.map((nodes) => nodes.filter(({ diff }) => diff !== ""));
  return [...changed, ...choices].find((nodes) => nodes.length > 0) ?? [];
}

/** The candidate with the best mean reward on its path; of equal ones the oldest. */
export function bestByMean(tree: SearchTree, among: readonly SearchNode[]): SearchNode | null {
  return highest(among, ({ id }) => meanTrajectoryReward(tree, id));
}

function highest(
  nodes: readonly SearchNode[],
  valueOfNode: (node: SearchNode) => number,
): SearchNode | null {
  let best: { readonly node: SearchNode; readonly value: number } | null = null;
  for (const node of nodes) {
    const value = valueOfNode(node);
    if (best === null || value > best.value) best = { node, value };
  }
  return best?.node ?? null;
}
