import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Bank, Corpus, NewMemory } from "../../src/domain/bank.ts";
import { PmcoderError } from "../../src/domain/errors.ts";
import { originOf } from "../../src/domain/origin.ts";
import { indexOf } from "../../src/experience/term-index.ts";
import { memoryOf } from "../experience/memories.ts";

export interface OpenedBank {
  readonly bank: Bank;
  /** What its clock says. */
  now(): number;
  close(): Promise<void>;
}

const insights = { system: "experepair", kind: "insight:tester", repo: "sympy/sympy" } as const;

const insight = (text: string) =>
  memoryOf({ ...insights, payload: { text }, terms: { text: text.split(" ") } });

const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id);

/** The corpus as plain values: each field of each record, term by term. */
function laidOut(corpus: Corpus, field: string, terms: readonly string[]) {
  const index = corpus.field(field);
  return {
    lengths: [...Array.from(index.lengths)],
    holders: terms.map((term) => {
      const { records = [], counts = [] } = index.postings(term) ?? {};
      return Array.from(records, (record, n) => [record, counts[n]]).sort(
        ([a = 0], [b = 0]) => a - b,
      );
    }),
  };
}

/** What every bank keeps to. `open` gives an empty one. */
export function describeBank(name: string, open: () => Promise<OpenedBank>): void {
  describe(`${name} as a bank`, () => {
    let opened: OpenedBank;
    let bank: Bank;
    beforeEach(async () => {
      opened = await open();
      bank = opened.bank;
    });
    afterEach(() => opened.close());

    it("gives back what it was given, in the order learned", async () => {
      const memories = [
        memoryOf({ kind: "loc", payload: { text: "a\u0000\ud800 ü", list: [1, null, true] } }),
        memoryOf({ kind: "gen", labels: ["verified", "first"], learnedFrom: "runs/7" }),
        memoryOf({ from: { instanceId: null, repo: null, issue: "no one's", createdAt: null } }),
      ];
      const added = await bank.add(memories);
      expect(added.map(({ isNew }) => isNew)).toEqual([true, true, true]);
      const learned = { learnedAt: opened.now(), uses: 0, helped: 0, harmed: 0 };
      expect(await bank.read({})).toEqual(
        memories.map(({ terms: _, ...memory }, n) => ({
          ...memory,
          id: added[n]?.id,
          ...learned,
        })),
      );
    });

    it("keeps when a memory was learned elsewhere, and what came of it", async () => {
      const standing = { learnedAt: 7, uses: 3, helped: 2, harmed: 1 };
      await bank.add([memoryOf({ standing })]);
      await bank.add([memoryOf({})]);
      expect(await bank.read({})).toMatchObject([standing]);
    });

    it("knows a memory by its content, wherever it was learned again", async () => {
      const twice = memoryOf({ payload: 1 });
      const [first, second] = await bank.add([twice, { ...twice, learnedFrom: "elsewhere" }]);
      expect([first?.isNew, second]).toEqual([true, { id: first?.id, isNew: false }]);
      expect(await bank.add([twice])).toEqual([{ id: first?.id, isNew: false }]);
      expect(await bank.read({})).toHaveLength(1);
      const others = [
        { payload: 2 },
        { kind: "val" },
        { labels: ["x"] },
        { from: { ...twice.from, createdAt: 5 } },
      ];
      const added = await bank.add(others.map((other) => ({ ...twice, ...other })));
      expect(new Set([first?.id, ...idsOf(added)]).size).toBe(5);
    });

    it("reads by place and by id", async () => {
      const memories = [
        memoryOf({ system: "adarepair", kind: "loc", payload: 0 }),
        memoryOf({ system: "adarepair", kind: "gen", payload: 1 }),
        memoryOf({ system: "swe-exp", kind: "loc", payload: 2 }),
        memoryOf({ system: "adarepair", kind: "loc", repo: "django/django", payload: 3 }),
      ];
      const ids = idsOf(await bank.add(memories));
      const payloads = async (where: Parameters<Bank["read"]>[0]) =>
        (await bank.read(where)).map(({ payload }) => payload);
      expect(await payloads({ system: "adarepair" })).toEqual([0, 1, 3]);
      expect(await payloads({ kind: "loc" })).toEqual([0, 2, 3]);
      expect(await payloads({ repo: "django/django" })).toEqual([3]);
      expect(await payloads({ system: "adarepair", kind: "gen", repo: "sympy/sympy" })).toEqual([
        1,
      ]);
      expect(await payloads({ system: "repomem" })).toEqual([]);
      const [a = "", b = ""] = [ids[3], ids[0]];
      expect(await payloads({ ids: [a, "never", b, a] })).toEqual([3, 0]);
    });

    it("counts uses, help and harm, each alone", async () => {
      const ids = idsOf(await bank.add([memoryOf({ payload: 1 }), memoryOf({ payload: 2 })]));
      await bank.count(ids, "uses");
      await bank.count([ids[1] ?? "", "never"], "uses");
      await bank.count([ids[0] ?? ""], "helped");
      await bank.count([ids[1] ?? ""], "harmed");
      expect(
        (await bank.read({})).map(({ uses, helped, harmed }) => [uses, helped, harmed]),
      ).toEqual([
        [1, 1, 0],
        [2, 0, 1],
      ]);
    });

    it("replaces a place by a list in its order, only where nothing changed meanwhile", async () => {
      const other = insight("of another place");
      await bank.add([{ ...other, kind: "insight:coder" }]);
      const [one, two, three] = [insight("one"), insight("two"), insight("three")];
      expect(await bank.replace(insights, [], [one, two])).toBe(true);
      const first = await bank.read(insights);
      await bank.count(idsOf(first).slice(1), "helped");
      expect(await bank.replace(insights, [], [three])).toBe(false);
      expect(await bank.replace(insights, idsOf(first).toReversed(), [three])).toBe(false);
      expect(idsOf(await bank.read(insights))).toEqual(idsOf(first));
      expect(await bank.replace(insights, idsOf(first), [three, two, three])).toBe(true);
      const after = await bank.read(insights);
      expect(after.map(({ payload, helped }) => [payload, helped])).toEqual([
        [{ text: "three" }, 0],
        [{ text: "two" }, 1],
      ]);
      expect(await bank.read({ kind: "insight:coder" })).toHaveLength(1);
      expect(await bank.replace(insights, idsOf(after), [])).toBe(true);
      expect(await bank.read(insights)).toEqual([]);
    });

    it("puts nothing into another place than the one replaced", async () => {
      const stray = { ...insight("one"), kind: "insight:coder" };
      const replaced = bank.replace(insights, [], [insight("two"), stray]);
      await expect(replaced).rejects.toThrow(PmcoderError);
      expect(await bank.read({})).toEqual([]);
    });

    it("forgets in every answer", async () => {
      const memories = ["keep", "drop"].map((text) =>
        memoryOf({ payload: text, terms: { text: [text] } }),
      );
      const [kept = "", dropped = ""] = idsOf(await bank.add(memories));
      await bank.corpus({});
      expect(await bank.forget([dropped, "never", dropped])).toBe(1);
      expect(await bank.forget([dropped])).toBe(0);
      expect(await bank.forget([])).toBe(0);
      expect(idsOf(await bank.read({}))).toEqual([kept]);
      expect(await bank.read({ ids: [dropped] })).toEqual([]);
      const corpus = await bank.corpus({});
      expect(idsOf(corpus.heads)).toEqual([kept]);
      expect(corpus.field("text").postings("drop")).toBeNull();
      expect([...corpus.field("text").allPostings()]).toHaveLength(1);
      expect((await bank.add(memories)).map(({ isNew }) => isNew)).toEqual([false, true]);
    });

    const term = fc.oneof(
      fc.constantFrom("a", "b", "c"),
      fc.string({ minLength: 1, maxLength: 3 }),
    );
    const draft = fc.record({
      kind: fc.constantFrom("loc", "gen"),
      repo: fc.constantFrom("sympy/sympy", "django/django"),
      issue: fc.constantFrom("one", "two", "three"),
      labels: fc.subarray(["first", "verified"]),
      terms: fc.dictionary(fc.constantFrom("issue", "artifact"), fc.array(term, { maxLength: 6 })),
      isForgotten: fc.boolean(),
    });

    it("has the corpus that its memories make, whatever was added and forgotten", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(draft, { maxLength: 8 }), async (drafts) => {
          await bank.forget(idsOf(await bank.read({})));
          const memories: NewMemory[] = drafts.map(({ issue, ...rest }, n) =>
            memoryOf({ ...rest, payload: n, issue }),
          );
          const ids = idsOf(await bank.add(memories));
          await bank.corpus({ kind: "loc" });
          await bank.forget(ids.filter((_, n) => drafts[n]?.isForgotten));
          const left = memories
            .map((memory, n) => ({ memory, id: ids[n] }))
            .filter(({ memory }, n) => !drafts[n]?.isForgotten && memory.kind === "loc");
          const corpus = await bank.corpus({ kind: "loc" });
          expect(corpus.heads).toEqual(
            left.map(({ memory: { system, kind, from, labels }, id }) => ({
              id,
              system,
              kind,
              labels,
              origin: originOf(from),
            })),
          );
          for (const field of ["issue", "artifact", "never"]) {
            const records = left.map(({ memory }) => memory.terms[field] ?? []);
            const terms = [...new Set(records.flat()), "unheard"];
            const expected = { heads: [], field: () => indexOf(records) };
            expect(laidOut(corpus, field, terms)).toEqual(laidOut(expected, field, terms));
            expect([...corpus.field(field).allPostings()]).toHaveLength(terms.length - 1);
          }
        }),
        { numRuns: 40 },
      );
    });
  });
}
