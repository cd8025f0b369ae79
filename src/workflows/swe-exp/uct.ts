import type { UctConfig } from "../../domain/config/swe-exp-uct.ts";
import type { SearchNode, SearchTree } from "../../domain/search-tree.ts";
import { contextOf, type NodeContext, similarity } from "./similarity.ts";

/** The score of a node by its terms; what counts against it is negative. */
interface UctTerms {
  readonly reward: number;
  readonly exploration: number;
  readonly depthBonus: number;
  readonly depthPenalty: number;
  readonly highLeaf: number;
  readonly badChildren: number;
  readonly highChild: number;
  readonly highParent: number;
  readonly finished: number;
  readonly correction: number;
  readonly diversity: number;
  readonly duplicateChildren: number;
  readonly duplicateActions: number;
}

/** The terms of any node of a tree. `exploration` is infinite where there were no visits. */
export type Scorer = (node: SearchNode) => UctTerms;

/**
 * How much each node is worth going on from (SWE-Exp, Appendix A, and its published code). What
 * nodes have seen is looked up once for all of them.
 */
export function scorer(tree: SearchTree, config: UctConfig): Scorer {
  const contexts = new Map<number, NodeContext>();
  const context = (node: SearchNode) => {
    const known = contexts.get(node.id) ?? contextOf(tree, node);
    contexts.set(node.id, known);
    return known;
  };
  return (node) => {
    const family = familyOf(tree, node);
    return {
      reward: rewardOf(node),
      exploration: exploration(family, config),
      depthBonus: node.depth === 0 ? config.depthBonus * Math.exp(config.depthWeight) : 0,
      depthPenalty: -config.depthWeight * Math.sqrt(node.depth),
      ...ofKin(family, config),
      finished: -finishedPenalty(tree, node, config),
      correction: correction(family, config),
      diversity: config.diversityWeight * unlikeness(tree, node, context),
      duplicateChildren: -config.duplicateChildPenalty * duplicates(family) ** 2,
      duplicateActions: -config.duplicateActionPenalty * repeatedTools(family),
    };
  };
}

/** The sum of the terms. A node that was never visited comes before all others. */
export function uctScore(node: SearchNode, score: Scorer): number {
  if (node.visits === 0) return Number.POSITIVE_INFINITY;
  return Object.values(score(node)).reduce((sum, term) => sum + term, 0);
}

interface Family {
  readonly node: SearchNode;
  readonly parent: SearchNode | null;
  readonly children: readonly SearchNode[];
}

const familyOf = (tree: SearchTree, node: SearchNode): Family => ({
  node,
  parent: node.parent === null ? null : (tree[node.parent] ?? null),
  children: node.children.flatMap((id) => tree[id] ?? []),
});

const rewardOf = ({ reward }: SearchNode) => reward?.value ?? 0;

/** The root, and a parent without visits, count as one visit, whose logarithm is 0. */
function exploration({ node, parent }: Family, { explorationWeight }: UctConfig): number {
  return explorationWeight * Math.sqrt(Math.log(Math.max(1, parent?.visits ?? 1)) / node.visits);
}

/** What parent and children say of a node. */
function ofKin(
  family: Family,
  config: UctConfig,
): Pick<UctTerms, "highLeaf" | "badChildren" | "highChild" | "highParent"> {
  const { node, children } = family;
  const value = rewardOf(node);
  const rewards = children.flatMap(({ reward }) => reward?.value ?? []);
  const isLeaf = children.length === 0;
  const followed = rewards.some((reward) => reward >= config.veryHigh);
  return {
    highLeaf: isLeaf && node.reward !== null && value >= config.high ? config.highLeafBonus : 0,
    badChildren: badChildren(family, rewards, config),
    highChild: followed ? -config.veryHighChildPenalty : 0,
    highParent: isLeaf ? highParent(family, config) : 0,
  };
}

/** A good node whose one edit went wrong deserves another edit. */
function badChildren(
  { node, children }: Family,
  rewards: readonly number[],
  { high, low, badChildrenFactor, watchedTools }: UctConfig,
): number {
  const [only] = rewards;
  const value = rewardOf(node);
  if (rewards.length !== 1 || only === undefined || value < high || only > low) return 0;
  const isWatched = children.some(({ action }) => action && watchedTools.includes(action.tool));
  return isWatched ? (value - only) * badChildrenFactor : 0;
}

/** A low leaf below a high node, or below one that was never judged, may be undervalued. */
function highParent({ node, parent }: Family, { high, low }: UctConfig): number {
  const value = rewardOf(node);
  if (parent === null || value > low) return 0;
  return parent.reward === null || parent.reward.value > high ? high - value : 0;
}

function finishedPenalty(tree: SearchTree, node: SearchNode, config: UctConfig): number {
  const { finishedPenalty: penalty, finishedReward } = config;
  return node.diff !== "" && leadsToFinish(tree, node, finishedReward) ? penalty : 0;
}

function leadsToFinish(tree: SearchTree, node: SearchNode, least: number): boolean {
  return node.children
    .flatMap((id) => tree[id] ?? [])
    .some(
      (child) =>
        (child.finished && child.reward !== null && child.reward.value >= least) ||
        leadsToFinish(tree, child, least),
    );
}

function correction({ node, parent, children }: Family, config: UctConfig): number {
  if (!node.expectsCorrection || parent?.expectsCorrection) return 0;
  return config.correctionBonus / (1 + children.length ** 2);
}

/** 0 for a node that has seen no code, 1 while there is no other expanded one to compare with. */
function unlikeness(
  tree: SearchTree,
  node: SearchNode,
  contextFor: (node: SearchNode) => NodeContext,
): number {
  const own = contextFor(node);
  if (own.lines.size === 0) return 0;
  const others = tree.filter(({ id, children }) => id !== node.id && children.length > 0);
  if (others.length === 0) return 1;
  const likenesses = others.map((other) => similarity(own, contextFor(other)));
  return 1 - likenesses.reduce((sum, one) => sum + one, 0) / likenesses.length;
}

const duplicates = ({ children }: Family) => children.filter(({ duplicate }) => duplicate).length;

/** Sum over tools of (uses − 1)². */
function repeatedTools({ children }: Family): number {
  const uses = new Map<string, number>();
  for (const { action } of children) {
    if (action) uses.set(action.tool, (uses.get(action.tool) ?? 0) + 1);
  }
  return [...uses.values()].reduce((sum, count) => sum + (count - 1) ** 2, 0);
}
