import type { Postings, TermIndex } from "../domain/bank.ts";

/** Saturation and length normalisation (the public code of ExpeRepair; RepoMem, arXiv:2510.01003). */
const k1 = 1.5;
const b = 0.75;

/** What of the average idf the public code of ExpeRepair gives to a term whose own is negative. */
const epsilon = 0.25;

/** What the weight of a term may depend on. */
interface Scope {
  readonly size: number;
  /** For each term of any record, how many records hold it. */
  holders(): Iterable<number>;
}

/** How much a term counts that so many of the records hold. */
export type Idf = (scope: Scope) => (holders: number) => number;

/**
 * ln(1 + (N − df + 0.5) / (df + 0.5)). Our choice for ExpeRepair, RepoMem's own: unlike Okapi's it
 * is never 0 or below, which would make the terms of a small bank worth nothing.
 */
export const smoothIdf: Idf =
  ({ size }) =>
  (holders) =>
    Math.log(1 + (size - holders + 0.5) / (holders + 0.5));

/**
 * ln((N − df + 0.5) / (df + 0.5)), and a quarter of the average over all terms where that is
 * negative (rank_bm25, which the public code of ExpeRepair uses).
 */
export const okapiIdf: Idf = ({ size, holders: all }) => {
  const plain = (holders: number) => Math.log(size - holders + 0.5) - Math.log(holders + 0.5);
  let sum = 0;
  let terms = 0;
  for (const holders of all()) {
    sum += plain(holders);
    terms += 1;
  }
  const least = (epsilon * sum) / Math.max(1, terms);
  return (holders) => (plain(holders) < 0 ? least : plain(holders));
};

/**
 * BM25 of each of `records` (places in the index, none twice) for a query, as if there were no
 * others: they alone decide how rare a term and how long a record is. A repeated term of the query
 * counts each time.
 */
export function bm25(
  query: readonly string[],
  index: TermIndex,
  records: ArrayLike<number>,
  idf: Idf = smoothIdf,
): Float64Array {
  const isIn = new Uint8Array(index.lengths.length);
  for (let n = 0; n < records.length; n += 1) isIn[records[n] ?? 0] = 1;
  const norms = normsOf(records, index.lengths);
  const weigh = idf({ size: records.length, holders: () => allHolders(index, isIn) });
  const sums = new Float64Array(index.lengths.length);
  for (const [term, times] of timesOf(query)) {
    const postings = index.postings(term);
    const holders = postings ? holdersAmong(postings, isIn) : 0;
    if (!postings || holders === 0) continue;
    addTo(sums, postings, norms, times * weigh(holders) * (k1 + 1));
  }
  const scores = new Float64Array(records.length);
  for (let n = 0; n < records.length; n += 1) scores[n] = sums[records[n] ?? 0] ?? 0;
  return scores;
}

/** Of all records of the index, by the mean length of those asked for. */
function normsOf(records: ArrayLike<number>, lengths: ArrayLike<number>): Float64Array {
  let sum = 0;
  for (let n = 0; n < records.length; n += 1) sum += lengths[records[n] ?? 0] ?? 0;
  const mean = sum / records.length || 1;
  const norms = new Float64Array(lengths.length);
  for (let n = 0; n < lengths.length; n += 1) {
    norms[n] = k1 * (1 - b + (b * (lengths[n] ?? 0)) / mean);
  }
  return norms;
}

function holdersAmong({ records }: Postings, isIn: Uint8Array): number {
  let holders = 0;
  for (let n = 0; n < records.length; n += 1) holders += isIn[records[n] ?? 0] ?? 0;
  return holders;
}

/** To those that are not asked for too: that is cheaper than to ask at each. */
function addTo(
  sums: Float64Array,
  { records, counts }: Postings,
  norms: Float64Array,
  weight: number,
): void {
  for (let n = 0; n < records.length; n += 1) {
    const record = records[n] ?? 0;
    const count = counts[n] ?? 0;
    sums[record] = (sums[record] ?? 0) + (weight * count) / (count + (norms[record] ?? 0));
  }
}

function* allHolders(index: TermIndex, isIn: Uint8Array): Iterable<number> {
  for (const postings of index.allPostings()) {
    const holders = holdersAmong(postings, isIn);
    if (holders > 0) yield holders;
  }
}

function timesOf(query: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const term of query) times.set(term, (times.get(term) ?? 0) + 1);
  return times;
}

/** From 0 for the least to 1 for the greatest; all 0 where they are equal (ExpeRepair). */
export function minMax(scores: ArrayLike<number>): Float64Array {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < scores.length; n += 1) {
    least = Math.min(least, scores[n] ?? 0);
    greatest = Math.max(greatest, scores[n] ?? 0);
  }
  const range = greatest - least + 1e-8;
  const shares = new Float64Array(scores.length);
  for (let n = 0; n < scores.length; n += 1) shares[n] = ((scores[n] ?? 0) - least) / range;
  return shares;
}
