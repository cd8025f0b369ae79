import type { Postings, TermIndex } from "../domain/bank.ts";
import { decodeVector } from "./term-vector.ts";

/** Vectors of one field, which become the postings of their terms. */
export class PostingsDraft {
  readonly #lengths: Uint32Array;
  readonly #records: number[] = [];
  /** Where the pairs of each record end. */
  readonly #ends: number[] = [];
  #terms = new Uint32Array(1024);
  #counts = new Uint32Array(1024);
  #filled = 0;

  constructor(size: number) {
    this.#lengths = new Uint32Array(size);
  }

  add(record: number, length: number, vector: Uint8Array): void {
    const needed = this.#filled + vector.length;
    if (needed > this.#terms.length) {
      this.#terms = grown(this.#terms, 2 * needed);
      this.#counts = grown(this.#counts, 2 * needed);
    }
    this.#filled = decodeVector(vector, this.#terms, this.#counts, this.#filled);
    this.#lengths[record] = length;
    this.#records.push(record);
    this.#ends.push(this.#filled);
  }

  /** `numberOf` gives the number under which the vectors know a term. */
  index(numberOf: (term: string) => number | null): TermIndex {
    const { starts, records, counts } = this.#byTerm();
    const at = (number: number): Postings | null => {
      const from = starts[number] ?? 0;
      const to = starts[number + 1] ?? from;
      if (from === to) return null;
      return { records: records.subarray(from, to), counts: counts.subarray(from, to) };
    };
    return {
      lengths: this.#lengths,
      postings: (term) => {
        const number = numberOf(term);
        return number === null ? null : at(number);
      },
      *allPostings() {
        for (let number = 0; number < starts.length - 1; number += 1) {
          const postings = at(number);
          if (postings) yield postings;
        }
      },
    };
  }

  /** All pairs, those of term n from starts[n] on and before starts[n + 1]: a counting sort. */
  #byTerm() {
    const terms = this.#terms.subarray(0, this.#filled);
    const starts = startsOf(terms);
    const next = starts.slice();
    const records = new Uint32Array(terms.length);
    // A record's counts are at most its length.
    const isLong = this.#lengths.some((length) => length > 0xffff);
    const counts = new (isLong ? Uint32Array : Uint16Array)(terms.length);
    let pair = 0;
    for (let n = 0; n < this.#ends.length; n += 1) {
      const record = this.#records[n] ?? 0;
      for (const end = this.#ends[n] ?? 0; pair < end; pair += 1) {
        const term = terms[pair] ?? 0;
        const place = next[term] ?? 0;
        next[term] = place + 1;
        records[place] = record;
        counts[place] = this.#counts[pair] ?? 0;
      }
    }
    return { starts, records, counts };
  }
}

function grown(array: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(size);
  larger.set(array);
  return larger;
}

function startsOf(terms: Uint32Array): Uint32Array {
  let greatest = -1;
  for (let pair = 0; pair < terms.length; pair += 1) {
    greatest = Math.max(greatest, terms[pair] ?? 0);
  }
  const starts = new Uint32Array(greatest + 2);
  for (let pair = 0; pair < terms.length; pair += 1) {
    const after = (terms[pair] ?? 0) + 1;
    starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let n = 1; n < starts.length; n += 1) starts[n] = (starts[n] ?? 0) + (starts[n - 1] ?? 0);
  return starts;
}
