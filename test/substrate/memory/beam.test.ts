import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BeamOptions,
  beamSearch,
  type Candidate,
} from "../../../src/substrate/memory/beam.ts";
import { emptyLexicon, enter } from "../../../src/substrate/memory/lexicon.ts";
import { lexicalScores, similarityTo, weightsOf } from "../../../src/substrate/memory/relevance.ts";

const words = [
  ["flush", "wrapper", "stream"],
  ["flush", "wrapper", "migrate"],
  ["migrate", "buffer"],
  ["stream", "settings"],
];
const proximities = [1, 0.5, 0.5, 0];
const sizes = [900, 400, 500, 300];

/** The search as it is defined, without any economy. */
function plainly(
  candidates: readonly Candidate[],
  matrix: readonly (readonly number[])[],
  { room, width, lambda, maxNodes }: BeamOptions,
): readonly number[] {
  type Plain = { picked: number[]; tokens: number; gain: number };
  const rounded = (gain: number) => Math.round(gain * 1e9);
  const order = (a: Plain, b: Plain) =>
    rounded(b.gain) - rounded(a.gain) ||
    a.tokens - b.tokens ||
    a.picked.map((pick, place) => pick - (b.picked[place] ?? 0)).find((step) => step !== 0) ||
    0;
  const grow = (state: Plain): Plain[] =>
    candidates.flatMap(({ tokens, relevance, redundancy }, index) => {
      const near = state.picked.map((other) => matrix[other]?.[index] ?? 0);
      const gain = lambda * relevance - (1 - lambda) * Math.max(redundancy, ...near);
      const fits = state.tokens + tokens <= room;
      if (!fits || rounded(gain) <= 0 || state.picked.includes(index)) return [];
      const picked = [...state.picked, index];
      return [{ picked, tokens: state.tokens + tokens, gain: state.gain + gain }];
    });
  let states: Plain[] = [{ picked: [], tokens: 0, gain: 0 }];
  const finished: Plain[] = [];
  for (let depth = 0; depth < maxNodes; depth++) {
    finished.push(...states.filter((state) => grow(state).length === 0));
    const sets = new Map<string, Plain>();
    for (const child of states.flatMap(grow).sort(order)) {
      const set = [...child.picked].sort().join();
      if (!sets.has(set)) sets.set(set, child);
    }
    states = [...sets.values()].slice(0, width);
  }
  const [answer] = [...finished, ...states].sort(order);
  return answer?.picked.map((index) => candidates[index]?.id ?? -1) ?? [];
}

/** Four nodes n1 … n4, asked for "flush wrapper buffer", as a worked example. */
function example(wc: number, wg: number) {
  let lexicon = emptyLexicon;
  const terms = words.map((list) => {
    const entered = enter(lexicon, list);
    lexicon = entered.lexicon;
    return entered.numbers;
  });
  const weights = weightsOf(lexicon, 4);
  const lexical = lexicalScores(lexicon, weights, { words: ["flush", "wrapper", "buffer"], terms });
  const similar = similarityTo(weights, terms);
  const candidates = sizes.map((tokens, index): Candidate => {
    const relevance = wc * (lexical[index] ?? 0) + wg * (proximities[index] ?? 0);
    return { id: index + 1, tokens, relevance, redundancy: 0 };
  });
  const similarity = (index: number) => similar(terms[index] ?? []);
  return { weights, lexical, similarity, candidates };
}

const even = example(0.5, 0.5);
const search = (room: number, width: number) =>
  beamSearch(even.candidates, even.similarity, { room, width, lambda: 0.7, maxNodes: 24 });

describe("relevance", () => {
  it("weighs words by how few nodes hold them", () => {
    expect(even.weights[0]).toBeCloseTo(Math.log(3), 12);
    expect(even.weights[4]).toBeCloseTo(Math.log(5), 12);
  });

  it("scores words and files", () => {
    const rounded = (values: ArrayLike<number>) =>
      Array.from(values, (value) => Number(value.toFixed(6)));
    expect(rounded(even.lexical)).toEqual([0.577205, 0.577205, 0.422795, 0]);
    expect(rounded(even.similarity(0))).toEqual([1, 0.5, 0, 0.223965]);
    expect(rounded(even.similarity(1))).toEqual([0.5, 1, 0.223965, 0]);
    expect(rounded(even.candidates.map(({ relevance }) => relevance))).toEqual([
      0.788602, 0.538602, 0.461398, 0,
    ]);
    const graphWeighted = example(0.3, 0.7).candidates.map(({ relevance }) => relevance);
    expect(rounded(graphWeighted)).toEqual([0.873161, 0.523161, 0.476839, 0]);
  });

  it("is 0 for an anchor whose words no node holds, and between nodes without words", () => {
    const { lexicon, numbers } = enter(emptyLexicon, ["flush"]);
    const weights = weightsOf(lexicon, 1);
    expect(lexicalScores(lexicon, weights, { words: ["other"], terms: [numbers] })).toEqual([0]);
    expect([...similarityTo(weights, [[], numbers])([])]).toEqual([0, 0]);
  });
});

describe("beamSearch", () => {
  it.each([
    { room: 900, width: 1, order: [1], gain: 0.552022, tokens: 900 },
    { room: 900, width: 2, order: [2, 3], gain: 0.63281, tokens: 900 },
    { room: 900, width: 3, order: [2, 3], gain: 0.63281, tokens: 900 },
    { room: 1_300, width: 3, order: [1, 2], gain: 0.779043, tokens: 1_300 },
    { room: 1_800, width: 3, order: [1, 3, 2], gain: 1.102022, tokens: 1_800 },
    { room: 0, width: 3, order: [], gain: 0, tokens: 0 },
  ])(
    "finds $order in a room of $room with width $width",
    ({ room, width, order, gain, tokens }) => {
      const found = search(room, width);
      expect(found.order).toEqual(order);
      expect(found.gain).toBeCloseTo(gain, 6);
      expect(found.tokens).toBe(tokens);
    },
  );

  it("adds nothing that is as redundant as it is relevant", () => {
    const copies = [1, 2].map((id) => ({ id, tokens: 1, relevance: 0.3, redundancy: 0 }));
    const same = () => Float64Array.of(1, 1);
    const options = { room: 10, width: 2, lambda: 0.7, maxNodes: 24 };
    expect(beamSearch(copies, same, options).order).toEqual([1]);
    const known = copies.map((copy) => ({ ...copy, redundancy: 0.7 }));
    expect(beamSearch(known, same, options).order).toEqual([]);
  });

  it("picks nothing twice when only relevance counts", () => {
    const options = { room: 10, width: 2, lambda: 1, maxNodes: 24 };
    const pair = [1, 2].map((id) => ({ id, tokens: 1, relevance: 0.3, redundancy: 1 }));
    expect(beamSearch(pair, () => Float64Array.of(1, 1), options).order).toEqual([1, 2]);
  });

  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  const instance = fc.integer({ min: 0, max: 9 }).chain((size) =>
    fc.record({
      candidates: fc.array(fc.record({ tokens: fc.nat(50), relevance: unit, redundancy: unit }), {
        minLength: size,
        maxLength: size,
      }),
      matrix: fc.array(fc.array(unit, { minLength: size, maxLength: size }), {
        minLength: size,
        maxLength: size,
      }),
      room: fc.nat(150),
      width: fc.integer({ min: 1, max: 4 }),
    }),
  );

  it("finds what the definition finds", () => {
    fc.assert(
      fc.property(instance, ({ candidates: rows, matrix, room, width }) => {
        const candidates = rows.map((row, index) => ({ ...row, id: index * 2 }));
        const similarity = (index: number) => Float64Array.from(matrix[index] ?? []);
        const options = { room, width, lambda: 0.6, maxNodes: 5 };
        const found = beamSearch(candidates, similarity, options);
        expect(found.order).toEqual(plainly(candidates, matrix, options));
      }),
      { numRuns: 300 },
    );
  });

  it("stays within room and depth, picks nothing twice, and reports the gains it claims", () => {
    fc.assert(
      fc.property(instance, ({ candidates: rows, matrix, room, width }) => {
        const candidates = rows.map((row, index) => ({ ...row, id: index * 2 }));
        const similarity = (index: number) => Float64Array.from(matrix[index] ?? []);
        const options = { room, width, lambda: 0.6, maxNodes: 5 };
        const found = beamSearch(candidates, similarity, options);
        const picked = found.order.map((id) => id / 2);
        expect(new Set(picked).size).toBe(picked.length);
        expect(picked.length).toBeLessThanOrEqual(5);
        const tokens = picked.reduce((sum, index) => sum + (candidates[index]?.tokens ?? 0), 0);
        expect(found.tokens).toBe(tokens);
        expect(tokens).toBeLessThanOrEqual(room);
        const gains = picked.map((index, place) => {
          const { relevance = 0, redundancy = 0 } = candidates[index] ?? {};
          const near = picked.slice(0, place).map((other) => matrix[other]?.[index] ?? 0);
          return 0.6 * relevance - 0.4 * Math.max(redundancy, ...near);
        });
        expect(found.gain).toBeCloseTo(
          gains.reduce((sum, gain) => sum + gain, 0),
          9,
        );
        expect(gains.every((gain) => gain > 0)).toBe(true);
      }),
    );
  });
});
