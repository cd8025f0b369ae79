import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bm25, type Idf, minMax, okapiIdf, smoothIdf } from "../../src/experience/bm25.ts";
import { indexOf } from "../../src/experience/term-index.ts";
import { codeAware, type Tokenize, whitespace, words } from "../../src/experience/tokenize.ts";

const issues = [
  "keyerror in admin form",
  "valueerror in query set",
  "typeerror in query compiler join",
  "keyerror when saving form",
];
const newTests = [
  "import admin site form save",
  "import query set filter",
  "import join compiler query",
  "import form model save",
];
const messages = [
  "fixed MigrationWriter missing import enum",
  "fixed OperationWriter serialization indent",
  "added docs covering MigrationWriter",
  "refs QuerySet union ordering",
];

function scoresOf(tokenize: Tokenize, texts: readonly string[], query: string, idf?: Idf) {
  const all = texts.map((_, place) => place);
  return [...bm25(tokenize(query), indexOf(texts.map(tokenize)), all, idf)];
}

const rounded = (values: Iterable<number>, digits: number) =>
  [...values].map((value) => Number(value.toFixed(digits)));

describe("bm25", () => {
  it.each([
    ["issues", smoothIdf, issues, [1.790361, 0.366373, 0.330435, 1.423988]],
    ["tests", smoothIdf, newTests, [0.642153, 0, 0, 0.711994]],
    ["issues as rank_bm25", okapiIdf, issues, [0.126924, 0.126924, 0.114474, 0]],
    ["tests as rank_bm25", okapiIdf, newTests, [0, 0, 0, 0]],
  ])("scores the published code's fields: %s", (_, idf, texts, scores) => {
    expect(rounded(scoresOf(words, texts, "keyerror in form", idf), 6)).toEqual(scores);
  });

  it.each([
    ["ours", smoothIdf, [0.9608, 0.0148, 0, 0.8494], [0, 3, 1, 2]],
    ["as rank_bm25", okapiIdf, [0.6, 0.6, 0.5411, 0], [0, 1, 2, 3]],
  ])("puts fields together by weight, the earlier first where equal: %s", (_, idf, sums, order) => {
    const fields = [issues, newTests].map((texts) =>
      minMax(scoresOf(words, texts, "keyerror in form", idf)),
    );
    const sum = issues.map((_, n) => 0.6 * (fields[0]?.[n] ?? 0) + 0.4 * (fields[1]?.[n] ?? 0));
    expect(rounded(sum, 4)).toEqual(sums);
    const best = sum.map((_, n) => n).sort((a, b) => (sum[b] ?? 0) - (sum[a] ?? 0));
    expect(best).toEqual(order);
  });

  it.each([
    ["white space", whitespace, [2.8729, 0, 0.712, 0]],
    ["code", codeAware, [3.9382, 0.3632, 1.7749, 0]],
  ])("scores commit messages by terms of %s", (_, tokenize, scores) => {
    const query = "MigrationWriter missing import";
    expect(rounded(scoresOf(tokenize, messages, query), 4)).toEqual(scores);
  });

  it.each([
    ["no records", [], ["a"], []],
    ["an empty query", [["a"]], [], [0]],
    ["records without terms", [[], []], ["a"], [0, 0]],
    ["a term that none holds", [["a"], ["b"]], ["c"], [0, 0]],
  ])("has a score for %s", (_, records, query, scores) => {
    const all = records.map((_, place) => place);
    expect([...bm25(query, indexOf(records), all)]).toEqual(scores);
    expect([...bm25(query, indexOf(records), all, okapiIdf)]).toEqual(scores);
  });

  const term = fc.constantFrom("a", "b", "c", "d", "e", "f");
  const record = fc.array(term, { maxLength: 12 });

  it.each([
    ["smooth", smoothIdf],
    ["Okapi's", okapiIdf],
  ])("scores a part of an index as if it were the whole, in any order, with %s idf", (_, idf) => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(record, fc.boolean(), fc.nat()), { maxLength: 20 }),
        record,
        (entries, query) => {
          const index = indexOf(entries.map(([terms]) => terms));
          const part = entries
            .map(([, isIn, order], place) => ({ isIn, order, place }))
            .filter(({ isIn }) => isIn)
            .sort((a, b) => a.order - b.order)
            .map(({ place }) => place);
          const alone = part.map((place) => entries[place]?.[0] ?? []);
          const whole = bm25(
            query,
            indexOf(alone),
            alone.map((_, place) => place),
            idf,
          );
          // Sums in another order of terms differ in the last bits.
          expect(rounded(bm25(query, index, part, idf), 9)).toEqual(rounded(whole, 9));
        },
      ),
    );
  });

  it("counts a repeated term of the query each time", () => {
    const index = indexOf([["a", "b"], ["b"]]);
    const [once = 0] = bm25(["a"], index, [0, 1]);
    expect(bm25(["a", "a"], index, [0, 1])[0]).toBeCloseTo(2 * once, 12);
    expect(once).toBeGreaterThan(0);
  });
});
