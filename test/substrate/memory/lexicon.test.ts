import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  emptyLexicon,
  enter,
  type Lexicon,
  numberOf,
} from "../../../src/substrate/memory/lexicon.ts";

const node = fc.uniqueArray(
  fc.oneof(fc.string(), fc.constantFrom("constructor", "__proto__", "a")),
);

function enterAll(nodes: readonly (readonly string[])[]): Lexicon {
  return nodes.reduce((lexicon, terms) => enter(lexicon, terms).lexicon, emptyLexicon);
}

describe("lexicon", () => {
  it("numbers words in order of appearance and counts the nodes that hold them", () => {
    const first = enter(emptyLexicon, ["flush", "wrapper"]);
    const second = enter(first.lexicon, ["migrate", "flush"]);
    expect(first.numbers).toEqual([0, 1]);
    expect(second.numbers).toEqual([2, 0]);
    expect(second.lexicon.words).toEqual(["flush", "wrapper", "migrate"]);
    expect(second.lexicon.frequency).toEqual([2, 1, 1]);
    expect(numberOf(second.lexicon, "settings")).toBeNull();
  });

  it("counts like a map, whatever the words, and leaves the lexicon it was given alone", () => {
    fc.assert(
      fc.property(fc.array(node, { maxLength: 40 }), (nodes) => {
        const expected = new Map<string, number>();
        for (const term of nodes.flat()) expected.set(term, (expected.get(term) ?? 0) + 1);
        const before = JSON.stringify(emptyLexicon);
        const lexicon = enterAll(nodes);
        expect(JSON.stringify(emptyLexicon)).toBe(before);
        expect([...expected]).toEqual(
          lexicon.words.map((word, number) => [word, lexicon.frequency[number]]),
        );
        for (const [number, word] of lexicon.words.entries()) {
          expect(numberOf(lexicon, word)).toBe(number);
        }
      }),
    );
  });

  it("goes on from JSON as if it had never been written", () => {
    fc.assert(
      fc.property(fc.array(node), node, (nodes, next) => {
        const lexicon = enterAll(nodes);
        const copy: Lexicon = JSON.parse(JSON.stringify(lexicon));
        expect(enter(copy, next)).toEqual(enter(lexicon, next));
      }),
    );
  });
});
