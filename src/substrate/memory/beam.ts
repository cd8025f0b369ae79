/** A node that the search may add. */
export interface Candidate {
  readonly id: number;
  readonly tokens: number;
  /** From 0 to 1. */
  readonly relevance: number;
  /** The greatest similarity to what is in the working set anyway. */
  readonly redundancy: number;
}

export interface BeamOptions {
  /** Tokens that the added nodes may have together. */
  readonly room: number;
  readonly lambda: number;
  readonly width: number;
  readonly maxNodes: number;
}

/** Nodes in the order of insertion, with the sum of their gains. */
export interface Selection {
  readonly order: readonly number[];
  readonly tokens: number;
  readonly gain: number;
}

/** A selection in the making; `picked` are indices of candidates. */
interface Draft {
  readonly picked: readonly number[];
  readonly tokens: number;
  readonly gain: number;
  /** By candidate: the greatest similarity to what was selected before the newest. */
  readonly redundancy: Float64Array;
}

/**
 * Beam search over marginal gains g(v|S) = λ·rel(v) − (1−λ)·max sim(v, u), u in S
 * (arXiv:2608.06811, III-C). States of the same set are merged into the one with the higher gain;
 * the best `width` go on: by gain, then fewer tokens, then the smaller sequence of ids. A gain
 * counts only above zero. Width 1 is greedy MMR.
 * @param candidates ascending by id.
 * @param similarity of the candidate at an index to each candidate, by index.
 */
export function beamSearch(
  candidates: readonly Candidate[],
  similarity: (index: number) => Float64Array,
  options: BeamOptions,
): Selection {
  const redundancy = Float64Array.from(candidates, (candidate) => candidate.redundancy);
  let states: readonly Draft[] = [{ picked: [], tokens: 0, gain: 0, redundancy }];
  const finished: Draft[] = [];
  for (let depth = 0; depth < options.maxNodes && states.length > 0; depth++) {
    const families = states.map((state) => childrenOf(state, candidates, options));
    finished.push(...states.filter((_, index) => families[index]?.length === 0));
    states = best(families.flat(), options.width).map((child) =>
      withRedundancy(child, similarity(child.picked.at(-1) ?? 0)),
    );
  }
  const answer = [...finished, ...states].sort(compare)[0];
  return {
    order: answer?.picked.map((index) => candidates[index]?.id ?? -1) ?? [],
    tokens: answer?.tokens ?? 0,
    gain: answer?.gain ?? 0,
  };
}

function childrenOf(
  parent: Draft,
  candidates: readonly Candidate[],
  { room, lambda }: BeamOptions,
): readonly Draft[] {
  const children: Draft[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const tokens = parent.tokens + candidate.tokens;
    const gain = lambda * candidate.relevance - (1 - lambda) * (parent.redundancy[index] ?? 0);
    if (tokens > room || billionths(gain) <= 0 || parent.picked.includes(index)) continue;
    const picked = [...parent.picked, index];
    children.push({ picked, tokens, gain: parent.gain + gain, redundancy: parent.redundancy });
  }
  return children;
}

/** The best drafts, no two of the same set. */
function best(drafts: readonly Draft[], width: number): readonly Draft[] {
  const kept = new Map<string, Draft>();
  for (const draft of [...drafts].sort(compare)) {
    if (kept.size === width) break;
    const set = [...draft.picked].sort((a, b) => a - b).join();
    if (!kept.has(set)) kept.set(set, draft);
  }
  return [...kept.values()];
}

function withRedundancy(draft: Draft, newest: Float64Array): Draft {
  return {
    ...draft,
    redundancy: draft.redundancy.map((known, index) => Math.max(known, newest[index] ?? 0)),
  };
}

function compare(a: Draft, b: Draft): number {
  const byGain = billionths(b.gain) - billionths(a.gain);
  return byGain || a.tokens - b.tokens || compareSequences(a.picked, b.picked);
}

function compareSequences(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((pick, index) => pick !== b[index]);
  return differing < 0 ? a.length - b.length : (a[differing] ?? 0) - (b[differing] ?? -1);
}

function billionths(gain: number): number {
  return Math.round(gain * 1e9);
}
