import {
  growTree,
  type NodeRecord,
  plant,
  type SearchTree,
} from "../../../src/domain/search-tree.ts";

export const plain: Omit<NodeRecord, "id" | "parent"> = {
  instruction: null,
  action: null,
  observation: "",
  expectsCorrection: false,
  seen: [],
  diff: "",
  terminal: false,
  finished: false,
  duplicate: false,
  error: null,
};

/** A node below `parent`, worth `value`; without one it has no reward. */
export type Sprout = Partial<NodeRecord> & { readonly parent: number; readonly value?: number };

/** A tree with these nodes, in order; ids count from 1. */
export function grown(sprouts: readonly Sprout[], rootReward = 100): SearchTree {
  let tree = plant(rootReward);
  for (const [index, { value, ...fields }] of sprouts.entries()) {
    const id = index + 1;
    tree = growTree(tree, { type: "node", step: 0, ...plain, ...fields, id });
    if (value === undefined) continue;
    const reward = { value, explanation: "", feedback: "" };
    tree = growTree(tree, { type: "reward", step: 0, node: id, ...reward });
  }
  return tree;
}

export function nodeOf(tree: SearchTree, id: number) {
  const node = tree[id];
  if (node === undefined) throw new Error(`there is no node ${id}`);
  return node;
}
