import { describe, expect, it } from "vitest";
import type { IssueIdentity } from "../../src/domain/experience.ts";
import { originOf } from "../../src/domain/origin.ts";
import { denialOf, type GuardRules, LeakGuard } from "../../src/experience/leak-guard.ts";

const target: IssueIdentity = {
  instanceId: "sympy__sympy-2",
  repo: "sympy/sympy",
  issue: "Printing a **matrix** fails:\n\n> `KeyError`",
  createdAt: 200,
};
const earlier: IssueIdentity = {
  instanceId: "sympy__sympy-1",
  repo: "sympy/sympy",
  issue: "Printing a set fails",
  createdAt: 199,
};
const elsewhere = { repo: "django/django" };

const strict: GuardRules = { repository: "any", earlier: "all", strict: true };

describe("the leak guard", () => {
  it.each<[string, Partial<GuardRules>, Partial<IssueIdentity>, string | null]>([
    ["an earlier issue", {}, {}, null],
    ["an earlier issue of another repository", {}, elsewhere, null],
    ["the same instance", {}, { instanceId: "sympy__sympy-2" }, "same_instance"],
    ["two unknown instances", {}, { instanceId: null }, null],
    ["the same text", {}, { issue: target.issue }, "same_issue"],
    ["its words", {}, { issue: "printing A matrix\tfails — KeyError!" }, "same_issue"],
    ["its words in wide letters", {}, { issue: "Ｐrinting a matrix fails KeyError" }, "same_issue"],
    ["its words run together", {}, { issue: "printing amatrix fails keyerror" }, null],
    ["one word more", {}, { issue: "Printing a matrix fails: KeyError 1" }, null],
    ["the same moment", {}, { createdAt: 200 }, "not_earlier"],
    ["a later one", {}, { createdAt: 201 }, "not_earlier"],
    ["no date", {}, { createdAt: null }, "unknown_date"],
    ["no date, leniently", { strict: false }, { createdAt: null }, null],
    ["a later one, leniently", { strict: false }, { createdAt: 201 }, "not_earlier"],
    ["no date where dates do not matter", { earlier: "none" }, { createdAt: null }, null],
    ["a later one where dates do not matter", { earlier: "none" }, { createdAt: 999 }, null],
    ["the same instance there", { earlier: "none" }, target, "same_instance"],
    ["a later one of its own", { earlier: "same_repository" }, { createdAt: 999 }, "not_earlier"],
    [
      "a later one of another, where only its own must be earlier",
      { earlier: "same_repository" },
      { ...elsewhere, createdAt: 999 },
      null,
    ],
    [
      "a later one of an unknown one, where only its own must be earlier",
      { earlier: "same_repository" },
      { repo: null, createdAt: 999 },
      "not_earlier",
    ],
    ["its own repository, asked for", { repository: "same" }, {}, null],
    ["its own in capitals, asked for", { repository: "same" }, { repo: "SymPy/SymPy" }, null],
    [
      "its own in capitals, others asked for",
      { repository: "other" },
      { repo: "SymPy/SymPy" },
      "wrong_repository",
    ],
    ["another, its own asked for", { repository: "same" }, elsewhere, "wrong_repository"],
    [
      "an unknown one, its own asked for",
      { repository: "same" },
      { repo: null },
      "wrong_repository",
    ],
    ["its own, others asked for", { repository: "other" }, {}, "wrong_repository"],
    ["another, others asked for", { repository: "other" }, elsewhere, null],
    [
      "an unknown one, others asked for",
      { repository: "other" },
      { repo: null },
      "wrong_repository",
    ],
  ])("judges %s", (_, rules, from, denial) => {
    const origin = originOf({ ...earlier, ...from });
    expect(denialOf({ ...strict, ...rules }, origin, originOf(target))).toBe(denial);
  });

  it.each([
    [true, "unknown_date"],
    [false, null],
  ])("of a target without a date, strict %s", (isStrict, denial) => {
    const undated = originOf({ ...target, createdAt: null });
    expect(denialOf({ ...strict, strict: isStrict }, originOf(earlier), undated)).toBe(denial);
  });

  it("knows two texts without letters as one, rather than leak", () => {
    const silent = { ...target, issue: "…" };
    expect(denialOf(strict, originOf({ ...earlier, issue: "" }), originOf(silent))).toBe(
      "same_issue",
    );
  });

  it("counts what it keeps back by reason", () => {
    const guard = new LeakGuard(strict);
    expect(guard.denied).toEqual({});
    const asked = [{}, target, target, { createdAt: null }, elsewhere, { createdAt: 300 }];
    const given = asked.map((from) =>
      guard.allow(originOf({ ...earlier, ...from }), originOf(target)),
    );
    expect(given).toEqual([true, false, false, false, true, false]);
    expect(guard.denied).toEqual({ same_instance: 2, unknown_date: 1, not_earlier: 1 });
  });
});
