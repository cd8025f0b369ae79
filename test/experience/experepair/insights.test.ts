import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  changeInsights,
  type InsightChange,
  type InsightRules,
  insightOperations,
} from "../../../src/experience/experepair/insights.ts";

const rules: InsightRules = {
  insightsCap: 15,
  overflow: "oldest",
  updateOps: [...insightOperations],
};
const fifteen = Array.from({ length: 15 }, (_, at) => `I${at + 1}`);

/** `REMOVE 3`, `EDIT 5 X`, `ADD N`. */
function changeOf(text: string): InsightChange {
  const [operation = "", ...rest] = text.split(" ");
  const number = operation === "ADD" ? null : Number(rest.shift());
  return { operation: operation as InsightChange["operation"], number, experience: rest.join(" ") };
}

function changed(current: readonly string[], changes: readonly string[], given = rules) {
  const insights = current.map((text) => ({ text }));
  const result = changeInsights(insights, changes.map(changeOf), given, (text) => ({ text }));
  return { texts: result.insights.map(({ text }) => text), ignored: result.ignored };
}

const batch = ["REMOVE 3", "EDIT 5 X", "REMOVE 9", "ADD N1", "ADD N2"];
const afterBatch = "I1 I2 I4 X I6 I7 I8 I10 I11 I12 I13 I14 I15 N1 N2".split(" ");

describe("changeInsights", () => {
  it.each([
    ["numbers are those before the batch", fifteen, batch, afterBatch],
    ["the oldest gives way", afterBatch, ["ADD N3"], [...afterBatch.slice(1), "N3"]],
    ["what is removed stays removed", fifteen, ["REMOVE 3", "REMOVE 3"], without("I3")],
    ["an edit follows its insight", fifteen, ["REMOVE 3", "EDIT 4 Y"], without("I3", "I4", "Y")],
    ["a removed one is not edited", fifteen, ["REMOVE 3", "EDIT 3 Y"], without("I3")],
    ["out of range", fifteen, ["EDIT 16 X", "REMOVE 0", "EDIT -1 X"], fifteen],
    ["a repeated ADD", ["a b"], ["ADD  A  B ", "ADD c"], ["a b", "c"]],
    ["an empty text", ["a"], ["ADD", "EDIT 1 "], ["a"]],
    ["a removed one may come again", ["a"], ["REMOVE 1", "ADD a"], ["a"]],
  ])("%s", (_, current, changes, expected) => {
    expect(changed(current, changes).texts).toEqual(expected);
  });

  it("drops the newest where the setting says so", () => {
    const { texts } = changed(afterBatch, ["ADD N3"], { ...rules, overflow: "newest" });
    expect(texts).toEqual(afterBatch);
  });

  it("says why a change was not made", () => {
    const { ignored } = changed(["a"], ["EDIT 2 x", "REMOVE 1", "REMOVE 1"], {
      ...rules,
      updateOps: ["ADD", "REMOVE"],
    });
    expect(ignored).toEqual(["EDIT 2: switched off", "REMOVE 1: it was removed"]);
  });

  it("keeps to the cap and to one line each, and leaves what no change names", () => {
    const change = fc.record({
      operation: fc.constantFrom(...insightOperations),
      number: fc.option(fc.integer({ min: -2, max: 20 })),
      experience: fc.string(),
    });
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 10 }),
        fc.constantFrom(0, 5, 15),
        (changes, cap) => {
          const current = fifteen.map((text) => ({ text }));
          const { insights } = changeInsights(
            current,
            changes,
            { ...rules, insightsCap: cap },
            (text) => ({ text }),
          );
          expect(insights.length).toBeLessThanOrEqual(cap);
          for (const { text } of insights) expect(text).not.toMatch(/\n|^\s*$/);
          const touched = new Set(changes.map(({ number }) => number));
          const untouched = current.filter(
            (one, at) => insights.includes(one) && !touched.has(at + 1),
          );
          expect(insights.filter((one) => untouched.includes(one))).toEqual(untouched);
        },
      ),
    );
  });
});

/** The fifteen without one; a second name is replaced by the third. */
function without(gone: string, replaced?: string, by = ""): readonly string[] {
  return fifteen.filter((one) => one !== gone).map((one) => (one === replaced ? by : one));
}
