import type { Postings, TermIndex } from "../domain/bank.ts";

interface GrowingPostings {
  readonly records: number[];
  readonly counts: number[];
}

/** The index of records that are at hand, each given by its terms with repetition. */
export function indexOf(records: readonly (readonly string[])[]): TermIndex {
  const terms = new Map<string, GrowingPostings>();
  records.forEach((record, place) => {
    for (const term of record) countIn(terms, term, place);
  });
  return {
    lengths: records.map((record) => record.length),
    postings: (term): Postings | null => terms.get(term) ?? null,
    allPostings: () => terms.values(),
  };
}

function countIn(terms: Map<string, GrowingPostings>, term: string, place: number): void {
  const postings = terms.get(term) ?? { records: [], counts: [] };
  terms.set(term, postings);
  const last = postings.records.length - 1;
  if (postings.records[last] === place) postings.counts[last] = (postings.counts[last] ?? 0) + 1;
  else {
    postings.records.push(place);
    postings.counts.push(1);
  }
}
