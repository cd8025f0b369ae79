import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Embedder } from "../../../src/domain/embedder.ts";
import type { IssueIdentity } from "../../../src/domain/experience.ts";
import { okapiIdf, smoothIdf } from "../../../src/experience/bm25.ts";
import {
  type DemonstrationQuery,
  demonstrations,
} from "../../../src/experience/experepair/demonstrations.ts";
import { Meaning } from "../../../src/experience/experepair/meaning.ts";
import { GuardedBank } from "../../../src/experience/guarded-bank.ts";
import { words } from "../../../src/experience/tokenize.ts";
import { type OpenBank, openBank } from "../../../src/store/experience-bank.ts";
import { stoppedClock } from "../../stopped-clock.ts";
import { issue, repairMemory } from "../repair-memories.ts";

let bank: OpenBank;
beforeEach(() => {
  bank = openBank(":memory:", stoppedClock());
});
afterEach(() => bank.close());

const rules = { repository: "same", earlier: "all", strict: true } as const;
const seenBy = (target: IssueIdentity) => new GuardedBank(bank, rules, target);
const query = (given: Partial<DemonstrationQuery>): DemonstrationQuery => ({
  mode: "initial",
  issue: "keyerror in form",
  output: "",
  attempt: "",
  ...given,
});

const byWords = { k: 3, okapiCompat: false, retriever: "bm25", meaning: null } as const;
const target = issue("target", { issue: "keyerror in form", day: 30 });

/** The four issues with their tests. */
async function fourIssues(): Promise<void> {
  const told = [
    ["e1", "keyerror in admin form", "import admin site form save"],
    ["e2", "valueerror in query set", "import query set filter"],
    ["e3", "typeerror in query compiler join", "import join compiler query"],
    ["e4", "keyerror when saving form", "import form model save"],
  ] as const;
  for (const [name, text, artifact] of told) {
    await bank.add([repairMemory("rep", issue(name, { issue: text }), { artifact })]);
  }
}

const four = async () => {
  await fourIssues();
  return seenBy(target).candidates({ system: "experepair", kind: "rep" });
};

describe("field scores", () => {
  it.each([
    ["issue", smoothIdf, [1.790361, 0.366373, 0.330435, 1.423988]],
    ["artifact", smoothIdf, [0.642153, 0, 0, 0.711994]],
    ["issue", okapiIdf, [0.126924, 0.126924, 0.114474, 0]],
    ["artifact", okapiIdf, [0, 0, 0, 0]],
  ] as const)("of %s by %o", async (field, idf, scores) => {
    const candidates = await four();
    const found = candidates.scores(field, words("keyerror in form"), idf);
    for (const [at, score] of scores.entries()) expect(found[at]).toBeCloseTo(score, 6);
  });

  it.each([
    ["ours", false, ["e1 0.9608", "e4 0.8494", "e2 0.0148", "e3 0.0000"]],
    [
      "Okapi's, where ties stand as learned",
      true,
      ["e1 0.6000", "e2 0.6000", "e3 0.5411", "e4 0.0000"],
    ],
  ])("weighed and normalised: %s", async (_, okapiCompat, expected) => {
    await fourIssues();
    const found = await demonstrations(seenBy(target), query({}), {
      ...byWords,
      k: 4,
      okapiCompat,
    });
    const told = found.map(({ memory, score }) => `${memory.from.instanceId} ${score.toFixed(4)}`);
    expect(told).toEqual(expected);
  });
});

describe("demonstrations", () => {
  const found = async (given: Partial<DemonstrationQuery>, k = 3) => {
    const all = await demonstrations(seenBy(target), query(given), { ...byWords, k });
    return all.map(({ memory }) => `${memory.from.instanceId} ${memory.artifact}`);
  };

  it("gives as many as asked for, each of another issue", async () => {
    await fourIssues();
    await bank.add([
      repairMemory("rep", issue("e1", { issue: "keyerror in admin form" }), { artifact: "form 2" }),
    ]);
    expect(await found({})).toHaveLength(3);
    expect(new Set((await found({})).map((one) => one.slice(0, 2))).size).toBe(3);
    expect(await found({}, 0)).toEqual([]);
  });

  it("looks for what each mode wants", async () => {
    const failed = { failedAttempt: "f()", failureFeedback: "KeyError: 'x'" };
    await bank.add([
      repairMemory("rep", issue("a"), { artifact: "first" }),
      repairMemory("rep", issue("b"), { artifact: "mended", ...failed }),
      repairMemory("ref", issue("c"), { artifact: "patched", ...failed }),
      repairMemory("gen", issue("d"), { artifact: "generated" }),
    ]);
    expect(await found({ mode: "initial" })).toEqual(["a first"]);
    expect(await found({ mode: "refine", output: "KeyError: 'x'" })).toEqual(["b mended"]);
    expect(await found({ mode: "patch" })).toEqual(["c patched"]);
  });

  it("finds a failure by the end of its traceback", async () => {
    const frames = (error: string) =>
      `Traceback (most recent call last):\n  File "django.py", line 1, in setup\n${error}`;
    const told = (artifact: string, error: string) => ({
      artifact,
      failedAttempt: "f()",
      failureFeedback: frames(error),
    });
    await bank.add([
      repairMemory("rep", issue("a"), told("other", "OSError: django setup gone")),
      repairMemory("rep", issue("b"), told("same", "LookupError: no app label")),
    ]);
    const [first] = await found({ mode: "refine", output: frames("LookupError: label") });
    expect(first).toBe("b same");
  });

  it("never gives what the leak guard denies", async () => {
    await bank.add([
      repairMemory("rep", issue("target"), { artifact: "own" }),
      repairMemory("rep", issue("copy", { issue: "KeyError, in form!" }), { artifact: "copy" }),
      repairMemory("rep", issue("later", { day: 31 }), { artifact: "later" }),
      repairMemory("rep", issue("other", { repo: "else/where" }), { artifact: "other" }),
      repairMemory("rep", issue("fine"), { artifact: "fine" }),
    ]);
    const guarded = seenBy(target);
    const given = await demonstrations(guarded, query({}), byWords);
    expect(given.map(({ memory }) => memory.artifact)).toEqual(["fine"]);
    expect(guarded.denied).toEqual({
      same_instance: 1,
      same_issue: 1,
      not_earlier: 1,
      wrong_repository: 1,
    });
  });
});

describe("by meaning", () => {
  /** Places what is about integers apart from the rest; tells what it was asked. */
  function embedder() {
    const asked: string[] = [];
    const embed: Embedder["embed"] = async (texts) => {
      asked.push(...texts);
      return texts.map((text) => (/integer|^wrong digit$/.test(text) ? [1, 0] : [0, 1]));
    };
    return { name: "embed:test", embed, asked };
  }

  const asks = query({ issue: "wrong digit" });
  beforeEach(async () => {
    await bank.add([
      repairMemory("rep", issue("alike", { issue: "wrong digit in it" }), { artifact: "name" }),
      repairMemory("rep", issue("near", { issue: "an integer is off" }), { artifact: "integer" }),
    ]);
  });

  it.each([
    ["bm25", ["alike 0.60", "near 0.00"]],
    ["embedding", ["near 1.00", "alike 0.00"]],
    ["hybrid", ["near 0.50", "alike 0.30"]],
  ] as const)("%s ranks", async (retriever, expected) => {
    const meaning = new Meaning(embedder(), new AbortController().signal);
    const retrieval = { ...byWords, retriever, meaning: retriever === "bm25" ? null : meaning };
    const found = await demonstrations(seenBy(target), asks, retrieval);
    const told = found.map(({ memory, score }) => `${memory.from.instanceId} ${score.toFixed(2)}`);
    expect(told).toEqual(expected);
  });

  it("asks for the place of a text once", async () => {
    const model = embedder();
    const meaning = new Meaning(model, new AbortController().signal);
    const retrieval = { ...byWords, retriever: "embedding", meaning } as const;
    await demonstrations(seenBy(target), asks, retrieval);
    const times = () => model.asked.filter((text) => text === "name").length;
    expect(times()).toBe(1);
    await demonstrations(seenBy(target), asks, retrieval);
    expect(times()).toBe(1);
  });
});
