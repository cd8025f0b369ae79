import type { Bank, Corpus, Memory, MemoryHead, Place } from "../domain/bank.ts";
import type { Denials, IssueIdentity } from "../domain/experience.ts";
import { type Origin, originOf } from "../domain/origin.ts";
import { bm25, type Idf, minMax } from "./bm25.ts";
import { type GuardRules, LeakGuard } from "./leak-guard.ts";

/** What is looked for in one field, and how much of the whole that is. */
export interface Criterion {
  readonly field: string;
  readonly query: readonly string[];
  readonly weight: number;
}

/** Memories that a target may see; `scores` and `relevance` stand in the order of `heads`. */
export class Candidates {
  /** In the order learned. */
  readonly heads: readonly MemoryHead[];
  readonly #corpus: Corpus;
  readonly #records: Uint32Array;

  constructor(corpus: Corpus, records: readonly number[]) {
    this.#corpus = corpus;
    this.#records = new Uint32Array(records);
    const heads: MemoryHead[] = [];
    for (const record of records) {
      const head = corpus.heads[record];
      if (head) heads.push(head);
    }
    this.heads = heads;
  }

  /** Those alone, as if there were no others. */
  narrow(keep: (head: MemoryHead) => boolean): Candidates {
    const kept: number[] = [];
    this.heads.forEach((head, place) => {
      if (keep(head)) kept.push(this.#records[place] ?? 0);
    });
    return new Candidates(this.#corpus, kept);
  }

  /** BM25 of one field. */
  scores(field: string, query: readonly string[], idf?: Idf): Float64Array {
    return bm25(query, this.#corpus.field(field), this.#records, idf);
  }

  /** Σ weight · min-max of the field's BM25 (the public code of ExpeRepair). */
  relevance(criteria: readonly Criterion[], idf?: Idf): Float64Array {
    const sum = new Float64Array(this.heads.length);
    for (const { field, query, weight } of criteria) {
      const scores = minMax(this.scores(field, query, idf));
      for (let n = 0; n < sum.length; n += 1) sum[n] = (sum[n] ?? 0) + weight * (scores[n] ?? 0);
    }
    return sum;
  }

  /** The best by such scores, best first; of equal ones the earlier learned. */
  best(scores: ArrayLike<number>, most: number): readonly { head: MemoryHead; score: number }[] {
    const best: { head: MemoryHead; score: number }[] = [];
    let least = Number.NEGATIVE_INFINITY;
    const cut = () => {
      best.sort((a, b) => b.score - a.score).splice(most);
      if (best.length === most) least = best.at(-1)?.score ?? Number.POSITIVE_INFINITY;
    };
    this.heads.forEach((head, place) => {
      const score = scores[place] ?? 0;
      if (score > least) best.push({ head, score });
      if (best.length > 2 * most) cut();
    });
    cut();
    return best;
  }
}

/** A bank as a recall for one target may read it: every memory passes the leak guard. */
export class GuardedBank {
  readonly #bank: Pick<Bank, "read" | "corpus">;
  readonly #guard: LeakGuard;
  readonly #target: Origin;

  constructor(bank: Pick<Bank, "read" | "corpus">, rules: GuardRules, target: IssueIdentity) {
    this.#bank = bank;
    this.#guard = new LeakGuard(rules);
    this.#target = originOf(target);
  }

  /** Those of the place that are wanted and allowed. Only wanted ones count as denied. */
  async candidates(
    place: Place,
    wants: (head: MemoryHead) => boolean = () => true,
  ): Promise<Candidates> {
    const corpus = await this.#bank.corpus(place);
    const records: number[] = [];
    corpus.heads.forEach((head, record) => {
      if (wants(head) && this.#guard.allow(head.origin, this.#target)) records.push(record);
    });
    return new Candidates(corpus, records);
  }

  /** As the bank's own. */
  async read(where: Place | { readonly ids: readonly string[] }): Promise<readonly Memory[]> {
    const found = await this.#bank.read(where);
    return found.filter(({ from }) => this.#guard.allow(originOf(from), this.#target));
  }

  /** Whether the target may see what was learned from that issue. */
  allows(from: Origin): boolean {
    return this.#guard.allow(from, this.#target);
  }

  get denied(): Denials {
    return this.#guard.denied;
  }
}
