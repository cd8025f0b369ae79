import type { Postings, TermIndex } from "../domain/bank.ts";
import { decodeVector } from "./term-vector.ts";

/** The vectors of one field as they stand in the file, and what turns them into postings. */
export class PostingsDraft {
  readonly #records: number[] = [];
  readonly #vectors: Uint8Array[] = [];
  readonly #lengths: Uint32Array;
  #longest = 0;

  constructor(size: number) {
    this.#lengths = new Uint32Array(size);
  }

  add(record: number, length: number, vector: Uint8Array): void {
    this.#records.push(record);
    this.#vectors.push(vector);
    this.#lengths[record] = length;
    this.#longest = Math.max(this.#longest, vector.length);
  }

  /** `numberOf` gives the number under which the vectors know a term. */
  index(numberOf: (term: string) => number | null): TermIndex {
    const { starts, records, counts } = this.#sorted();
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

  /** All vectors by term: those of term n stand from starts[n] on, before starts[n + 1]. */
  #sorted() {
    const pairs = new Float64Array(this.#longest);
    const starts = this.#starts(pairs);
    const total = starts.at(-1) ?? 0;
    const records = new Uint32Array(total);
    // A record is at most as long as its field, which bounds its counts.
    const counts = new (this.#lengths.some((n) => n > 0xffff) ? Uint32Array : Uint16Array)(total);
    const next = starts.slice();
    this.#vectors.forEach((vector, n) => {
      const record = this.#records[n] ?? 0;
      const filled = decodeVector(vector, pairs);
      for (let at = 0; at < filled; at += 2) {
        const term = pairs[at] ?? 0;
        const place = next[term] ?? 0;
        records[place] = record;
        counts[place] = pairs[at + 1] ?? 0;
        next[term] = place + 1;
      }
    });
    return { starts, records, counts };
  }

  #starts(pairs: Float64Array): Uint32Array {
    let greatest = -1;
    for (const vector of this.#vectors) {
      const filled = decodeVector(vector, pairs);
      greatest = Math.max(greatest, filled > 0 ? (pairs[filled - 2] ?? 0) : -1);
    }
    const starts = new Uint32Array(greatest + 2);
    for (const vector of this.#vectors) {
      const filled = decodeVector(vector, pairs);
      for (let at = 0; at < filled; at += 2) {
        const after = (pairs[at] ?? 0) + 1;
        starts[after] = (starts[after] ?? 0) + 1;
      }
    }
    for (let n = 1; n < starts.length; n += 1) starts[n] = (starts[n] ?? 0) + (starts[n - 1] ?? 0);
    return starts;
  }
}
