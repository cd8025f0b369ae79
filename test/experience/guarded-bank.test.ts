import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { IssueIdentity } from "../../src/domain/experience.ts";
import { originOf } from "../../src/domain/origin.ts";
import { okapiIdf } from "../../src/experience/bm25.ts";
import { GuardedBank } from "../../src/experience/guarded-bank.ts";
import { denialOf, type GuardRules } from "../../src/experience/leak-guard.ts";
import { words } from "../../src/experience/tokenize.ts";
import { openBank } from "../../src/store/experience-bank.ts";
import { memoryOf } from "./memories.ts";

const clock = { now: () => 1_800_000_000_000 };
const lenient: GuardRules = { repository: "any", earlier: "none", strict: false };
const target: IssueIdentity = {
  instanceId: "target",
  repo: "sympy/sympy",
  issue: "keyerror in form",
  createdAt: 2_000_000_000_000,
};

/** Issue and test of the published code's examples. */
const demonstrations = [
  ["keyerror in admin form", "import admin site form save"],
  ["valueerror in query set", "import query set filter"],
  ["typeerror in query compiler join", "import join compiler query"],
  ["keyerror when saving form", "import form model save"],
].map(([issue = "", newTest = ""]) =>
  memoryOf({ issue, payload: newTest, terms: { issue: words(issue), newTest: words(newTest) } }),
);

const rounded = (values: Iterable<number>) => [...values].map((value) => Number(value.toFixed(4)));

describe("a guarded bank", () => {
  const bank = openBank(":memory:", clock);
  afterAll(() => bank.close());

  const anyIssue = fc.record({
    instanceId: fc.constantFrom("a", "b", null),
    repo: fc.constantFrom("x/x", "y/y", null),
    issue: fc.constantFrom("one", "One!", "two", "three"),
    createdAt: fc.constantFrom(1, 2, 3, null),
  });
  const anyRules = fc.record({
    repository: fc.constantFrom("same", "other", "any"),
    earlier: fc.constantFrom("all", "same_repository", "none"),
    strict: fc.boolean(),
  }) satisfies fc.Arbitrary<GuardRules>;

  it("never gives what the guard denies, and counts each", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyIssue, { maxLength: 12 }),
        anyIssue,
        anyRules,
        fc.array(fc.constantFrom("one", "two", "three"), { maxLength: 4 }),
        async (issues, about, rules, query) => {
          const own = openBank(":memory:", clock);
          const memories = issues.map((from, n) =>
            memoryOf({ from, payload: n, terms: { issue: words(from.issue) } }),
          );
          const ids = (await own.add(memories)).map(({ id }) => id);
          const isAllowed = (from: IssueIdentity) =>
            denialOf(rules, originOf(from), originOf(about)) === null;
          const allowed = ids.filter((_, n) => isAllowed(issues[n] ?? about));
          const guarded = () => new GuardedBank(own, rules, about);
          const ranking = guarded();
          const candidates = await ranking.candidates({});
          const scores = candidates.scores("issue", query);
          const best = candidates.best(scores, ids.length).map(({ head }) => head.id);
          expect(candidates.heads.map(({ id }) => id)).toEqual(allowed);
          expect(best.toSorted()).toEqual(allowed.toSorted());
          for (const read of [await guarded().read({}), await guarded().read({ ids })]) {
            expect(read.map(({ id }) => id)).toEqual(allowed);
          }
          const denied = Object.values(ranking.denied).reduce((sum, n) => sum + n, 0);
          expect(denied).toBe(ids.length - allowed.length);
          await own.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it("ranks as the published code does, and as if what is denied were not there", async () => {
    const leaks = ["keyerror form", "keyerror in in form"].map((issue) =>
      memoryOf({ issue, from: { ...target, issue }, terms: { issue: words(issue) } }),
    );
    await bank.add([...leaks, ...demonstrations]);
    const guarded = new GuardedBank(bank, lenient, target);
    const candidates = await guarded.candidates({ system: "experepair", kind: "rep" });
    const query = words(target.issue);
    const criteria = [
      { field: "issue", query, weight: 0.6 },
      { field: "newTest", query, weight: 0.4 },
    ];
    const relevance = candidates.relevance(criteria);
    expect(rounded(relevance)).toEqual([0.9608, 0.0148, 0, 0.8494]);
    const best = candidates.best(relevance, 3).map(({ head }) => head.id);
    const expected = [0, 3, 1].map((n) => demonstrations[n]?.payload);
    expect((await guarded.read({ ids: best })).map(({ payload }) => payload)).toEqual(expected);
    const compatible = candidates.relevance(criteria, okapiIdf);
    expect(rounded(compatible)).toEqual([0.6, 0.6, 0.5411, 0]);
    expect(candidates.best(compatible, 2).map(({ head }) => head)).toEqual(
      candidates.heads.slice(0, 2),
    );
    expect(guarded.denied).toEqual({ same_instance: 2 });
  });

  it("looks only at what is wanted, and narrows to a part as if it were all", async () => {
    const own = openBank(":memory:", clock);
    const labelled = demonstrations.map((memory, n) => ({
      ...memory,
      labels: n === 3 ? [] : ["first"],
    }));
    await own.add(labelled);
    const strict: GuardRules = { repository: "other", earlier: "all", strict: true };
    const choosy = new GuardedBank(own, strict, target);
    await choosy.candidates({}, ({ labels }) => labels.includes("first"));
    expect(choosy.denied).toEqual({ wrong_repository: 3 });
    const all = await new GuardedBank(own, lenient, target).candidates({});
    const few = all.narrow(({ labels }) => !labels.includes("first"));
    expect(few.heads).toEqual(all.heads.slice(3));
    const alone = openBank(":memory:", clock);
    await alone.add(labelled.slice(3));
    const only = await new GuardedBank(alone, lenient, target).candidates({});
    expect(few.scores("issue", ["form", "saving"])).toEqual(
      only.scores("issue", ["form", "saving"]),
    );
    await Promise.all([own.close(), alone.close()]);
  });
});
