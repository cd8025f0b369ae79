import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  jaccard,
  type QualityRules,
  type Rated,
  selectByQuality,
} from "../../../src/experience/adarepair/quality.ts";

const rules: QualityRules = {
  topN: 3,
  weights: { relevance: 0.5, utility: 0.3, specificity: 0.1, redundancy: 0.1 },
  nearDuplicate: 0.85,
};

interface Named extends Rated {
  readonly name: string;
}

function rated(name: string, [relevance, utility, specificity]: readonly number[], words: string) {
  return {
    name,
    relevance: relevance ?? 0,
    utility: utility ?? 0,
    specificity: specificity ?? 0,
    words: new Set(words),
  };
}

/** B and C have eight of ten words in common, D one of B's ten, E two; A, the failed one, none. */
const pool: readonly Named[] = [
  rated("A", [1, 0, 0.4], "z"),
  rated("B", [0.8, 1, 0.9], "0123456789"),
  rated("C", [0.78, 1, 0.9], "01234567"),
  rated("D", [0.3, 1, 0.2], "8"),
  rated("E", [0.6, 0.5, 0.5], "89"),
];

const chosen = (given: QualityRules) =>
  selectByQuality(pool, given).map(({ one, quality }) => `${one.name} ${quality.toFixed(2)}`);

describe("selectByQuality", () => {
  it.each([
    ["a success before a failure that is more alike", rules, ["B 0.79", "C 0.70", "A 0.54"]],
    [
      "near duplicates dropped from 0.75 on",
      { ...rules, nearDuplicate: 0.75 },
      ["B 0.79", "A 0.54", "E 0.48"],
    ],
    [
      "likeness to what was chosen counts against the rest",
      { ...rules, topN: 5 },
      ["B 0.79", "C 0.70", "A 0.54", "E 0.48", "D 0.42"],
    ],
    [
      "relevance alone would begin with the failure",
      { ...rules, weights: { relevance: 1, utility: 0, specificity: 0, redundancy: 0 } },
      ["A 1.00", "B 0.80", "C 0.78"],
    ],
    ["none asked for", { ...rules, topN: 0 }, []],
  ])("%s", (_, given, expected) => {
    expect(chosen(given)).toEqual(expected);
  });

  it("gives each at most once, no two near duplicates, and never more than asked for", () => {
    const one = fc
      .record({
        relevance: fc.double({ min: 0, max: 1, noNaN: true }),
        utility: fc.constantFrom(0, 0.5, 1),
        specificity: fc.double({ min: 0, max: 1, noNaN: true }),
        words: fc.array(fc.constantFrom(..."abcdef"), { maxLength: 6 }),
      })
      .map((item) => ({ ...item, words: new Set(item.words) }));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (many) => {
        const found = selectByQuality(many, rules).map((item) => item.one);
        expect(found.length).toBeLessThanOrEqual(3);
        expect(new Set(found).size).toBe(found.length);
        for (const [at, item] of found.entries()) {
          for (const other of found.slice(at + 1)) {
            expect(jaccard(item.words, other.words)).toBeLessThan(rules.nearDuplicate);
          }
        }
      }),
    );
  });
});
