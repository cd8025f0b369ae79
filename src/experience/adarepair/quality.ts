import type { AdaRepairConfig } from "../../domain/config/adarepair.ts";

/** A candidate as quality sees it; all but the words from 0 to 1. */
export interface Rated {
  readonly relevance: number;
  readonly utility: number;
  readonly specificity: number;
  /** Its distinct words. */
  readonly words: ReadonlySet<string>;
}

export interface Chosen<One> {
  readonly one: One;
  /** Q of equation 2, with what had been chosen before it. */
  readonly quality: number;
}

export type QualityRules = Pick<AdaRepairConfig, "topN" | "weights" | "nearDuplicate">;

/**
 * Quality-aware selection (arXiv:2609.20130, equation 2): first near duplicates are dropped in
 * favour of the more relevant one, then the best is taken again and again, where likeness to what
 * was taken counts against a candidate. Ties go to the more relevant, then to the earlier (the
 * greedy form and the order of ties are our choice). `pool` stands in the order loaded.
 */
export function selectByQuality<One extends Rated>(
  pool: readonly One[],
  { topN, weights, nearDuplicate }: QualityRules,
): readonly Chosen<One>[] {
  const left = distinct(pool, nearDuplicate);
  const chosen: Chosen<One>[] = [];
  while (chosen.length < topN && left.length > 0) {
    const qualities = left.map((one) => {
      const worth =
        weights.relevance * one.relevance +
        weights.utility * one.utility +
        weights.specificity * one.specificity;
      return worth - weights.redundancy * likenessToAny(one, chosen);
    });
    // `left` stands by relevance, so the first of equals is the more relevant one.
    const at = qualities.indexOf(Math.max(...qualities));
    const [one] = left.splice(at, 1);
    if (one !== undefined) chosen.push({ one, quality: qualities[at] ?? 0 });
  }
  return chosen;
}

/** By relevance, without those that are too like a more relevant one. */
function distinct<One extends Rated>(pool: readonly One[], cut: number): One[] {
  const kept: One[] = [];
  for (const one of pool.toSorted((a, b) => b.relevance - a.relevance)) {
    if (!kept.some((other) => isLike(one.words, other.words, cut))) kept.push(one);
  }
  return kept;
}

/** Sets whose sizes differ by more have no such share in common, and most differ. */
function isLike(one: ReadonlySet<string>, other: ReadonlySet<string>, cut: number): boolean {
  const least = Math.min(one.size, other.size);
  return least >= cut * Math.max(one.size, other.size) && jaccard(one, other) >= cut;
}

function likenessToAny(one: Rated, chosen: readonly Chosen<Rated>[]): number {
  return Math.max(0, ...chosen.map((other) => jaccard(one.words, other.one.words)));
}

/** Share of the words of both that both have; 0 where neither has any. */
export function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}
