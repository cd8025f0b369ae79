import type { MemoryConfig } from "../../domain/config/memory.ts";
import type { Anchor } from "./anchor.ts";
import type { Memory } from "./memory.ts";
import type { MemoryNode } from "./node.ts";
import type { Policy } from "./policy.ts";
import { similarityTo } from "./relevance.ts";
import { chosenOf, type Search, search } from "./retrieve.ts";
import { inShowingOrder } from "./showing-order.ts";

/** Why one node was recalled. All scores are from 0 to 1 but `gain`, which may be smaller. */
interface RecallReason {
  readonly id: number;
  /** In the order in which the beam search took it, from 1. */
  readonly rank: number;
  readonly lexical: number;
  readonly graph: number;
  /** wc·lexical + wg·graph. */
  readonly relevance: number;
  /** Greatest similarity to the newest nodes and to what was taken before it. */
  readonly redundancy: number;
  /** λ·relevance − (1−λ)·redundancy. */
  readonly gain: number;
  readonly tokens: number;
}

/** One retrieval with what it asked for and why it got that. */
export interface Explanation {
  readonly anchor: Anchor;
  readonly policy: Policy;
  /** Ids of what is always in the working set. */
  readonly core: readonly number[];
  /** Of core, anchor and recalled nodes. */
  readonly tokens: number;
  /** Nodes that the search could have taken. */
  readonly candidates: number;
  /** What was recalled, in the order in which it is worth showing. */
  readonly recalled: readonly RecallReason[];
}

/**
 * What `retrieve` does with the same arguments, with the parts of each score
 * (arXiv:2608.06811, III-C). It recalls the same nodes in the same order.
 */
export function explain(
  memory: Memory,
  anchor: Anchor,
  policy: Policy,
  config: MemoryConfig,
): Explanation {
  const searched = search(memory, anchor, policy, config);
  const chosen = chosenOf(searched.candidates, searched.found);
  const reasons = reasonsOf(chosen, searched, policy);
  const byId = new Map(reasons.map((reason) => [reason.id, reason]));
  return {
    anchor,
    policy,
    core: searched.core.map(({ id }) => id),
    tokens: searched.tokens + searched.found.tokens,
    candidates: searched.candidates.length,
    recalled: inShowingOrder(chosen).flatMap(({ id }) => byId.get(id) ?? []),
  };
}

function reasonsOf(
  chosen: readonly MemoryNode[],
  { candidates, recent, weights }: Search,
  { lambda }: Policy,
): readonly RecallReason[] {
  const scores = new Map(candidates.map((scored) => [scored.node.id, scored]));
  const similar = similarityTo(
    weights,
    [...recent, ...chosen].map(({ terms }) => terms),
  );
  return chosen.map((node, index) => {
    const { lexical = 0, graph = 0, relevance = 0 } = scores.get(node.id) ?? {};
    const before = similar(node.terms).subarray(0, recent.length + index);
    const redundancy = before.reduce((most, similarity) => Math.max(most, similarity), 0);
    return {
      id: node.id,
      rank: index + 1,
      lexical,
      graph,
      relevance,
      redundancy,
      gain: lambda * relevance - (1 - lambda) * redundancy,
      tokens: node.tokens,
    };
  });
}
