import type { MemoryConfig } from "../../domain/config/memory.ts";
import type { Anchor } from "./anchor.ts";
import { type BeamOptions, beamSearch, type Selection } from "./beam.ts";
import { distancesFrom, proximity } from "./file-graph.ts";
import type { Memory } from "./memory.ts";
import type { MemoryNode } from "./node.ts";
import type { Policy } from "./policy.ts";
import { lexicalScores, similarityTo, type Weights, weightsOf } from "./relevance.ts";
import { inShowingOrder } from "./showing-order.ts";
import { tokensOf } from "./text.ts";

/** The nodes that matter now. */
export interface WorkingSet {
  /** Ids of what is always in it: the task statement and the newest nodes. */
  readonly core: readonly number[];
  /** Ids of what was recalled, in the order in which it is worth showing. */
  readonly recalled: readonly number[];
  /** Of core, anchor and recalled nodes. */
  readonly tokens: number;
}

/** A node that may be recalled. */
export interface Scored {
  readonly node: MemoryNode;
  /** From 0 to 1. */
  readonly lexical: number;
  /** Nearness in the file graph, from 0 to 1. */
  readonly graph: number;
  readonly relevance: number;
}

/** A retrieval before it is put in order. */
export interface Search {
  readonly core: readonly MemoryNode[];
  /** Of the core, the newest nodes. */
  readonly recent: readonly MemoryNode[];
  /** Tokens of core and anchor. */
  readonly tokens: number;
  /** What the search looked at, ascending by id. */
  readonly candidates: readonly Scored[];
  readonly weights: Weights;
  readonly found: Selection;
}

/**
 * The working set within the policy's budget: the fixed core and the anchor, filled by beam search
 * over the most relevant of the older nodes (arXiv:2608.06811, III-C).
 */
export function retrieve(
  memory: Memory,
  anchor: Anchor,
  policy: Policy,
  config: MemoryConfig,
): WorkingSet {
  const { core, tokens, candidates, found } = search(memory, anchor, policy, config);
  return {
    core: core.map(({ id }) => id),
    recalled: inShowingOrder(chosenOf(candidates, found)).map(({ id }) => id),
    tokens: tokens + found.tokens,
  };
}

/** The chosen nodes in the order in which the search took them. */
export function chosenOf(
  candidates: readonly Scored[],
  { order }: Pick<Selection, "order">,
): readonly MemoryNode[] {
  const byId = new Map(candidates.map(({ node }) => [node.id, node]));
  return order.flatMap((id) => byId.get(id) ?? []);
}

/** What a retrieval stands on, for `retrieve` and for whoever explains it. */
export function search(
  memory: Memory,
  anchor: Anchor,
  policy: Policy,
  config: MemoryConfig,
): Search {
  const { task, tail, older } = partsOf(memory.nodes, config.tailNodes);
  const fixed = sumTokens(task) + tokensOf(anchor.words.join(" "));
  const recent = fitting(tail, policy.budget - fixed);
  const tokens = fixed + sumTokens(recent);
  const weights = weightsOf(memory.lexicon, memory.nodes.length);
  const candidates = score(memory, older, { anchor, policy, weights, reach: config.reach })
    .filter(({ relevance }) => relevance > 0)
    .sort((a, b) => b.relevance - a.relevance)
    .slice(0, config.candidates)
    .sort((a, b) => a.node.id - b.node.id);
  const found = select(candidates, recent, weights, {
    room: policy.budget - tokens,
    lambda: policy.lambda,
    width: policy.beam,
    maxNodes: config.maxNodes,
  });
  return { core: [...task, ...recent], recent, tokens, candidates, weights, found };
}

function partsOf(nodes: readonly MemoryNode[], tailNodes: number) {
  const task = nodes.filter(({ turn }) => turn === 0);
  const episode = nodes.filter(({ turn }) => turn > 0);
  const start = Math.max(episode.length - tailNodes, 0);
  return { task, tail: episode.slice(start), older: episode.slice(0, start) };
}

/** The newest of the nodes that fit together. */
function fitting(nodes: readonly MemoryNode[], room: number): readonly MemoryNode[] {
  const excess = sumTokens(nodes) > room;
  return nodes.length > 0 && excess ? fitting(nodes.slice(1), room) : nodes;
}

function sumTokens(nodes: readonly MemoryNode[]): number {
  return nodes.reduce((sum, { tokens }) => sum + tokens, 0);
}

interface Query {
  readonly anchor: Anchor;
  readonly policy: Policy;
  readonly weights: Weights;
  readonly reach: number;
}

/** rel(v) = wc·lex(v) + wg·graph(v) (arXiv:2608.06811, III-C). */
function score(memory: Memory, nodes: readonly MemoryNode[], query: Query): readonly Scored[] {
  const { anchor, policy, weights, reach } = query;
  const terms = nodes.map((node) => node.terms);
  const lexical = lexicalScores(memory.lexicon, weights, { words: anchor.words, terms });
  const distances = distancesFrom(memory.graph, anchor.files, reach);
  return nodes.map((node, index) => {
    const lex = lexical[index] ?? 0;
    const graph = proximity(distances, node.files);
    return { node, lexical: lex, graph, relevance: policy.wc * lex + policy.wg * graph };
  });
}

function select(
  scored: readonly Scored[],
  recent: readonly MemoryNode[],
  weights: Weights,
  options: BeamOptions,
): Selection {
  const similar = similarityTo(
    weights,
    scored.map(({ node }) => node.terms),
  );
  const near = recent.map(({ terms }) => similar(terms));
  const candidates = scored.map(({ node, relevance }, index) => ({
    id: node.id,
    tokens: node.tokens,
    relevance,
    redundancy: near.reduce((most, row) => Math.max(most, row[index] ?? 0), 0),
  }));
  const rows = new Map<number, Float64Array>();
  return beamSearch(
    candidates,
    (index) => {
      const row = rows.get(index) ?? similar(scored[index]?.node.terms ?? []);
      rows.set(index, row);
      return row;
    },
    options,
  );
}
