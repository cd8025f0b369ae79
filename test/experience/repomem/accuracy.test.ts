import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accuracyAt, isCovered } from "../../../src/experience/repomem/accuracy.ts";

describe("accuracy at k", () => {
  it.each([
    [["a", "b"], ["a", "c", "b", "d"], 1, false],
    [["a", "b"], ["a", "c", "b", "d"], 3, true],
    [["a", "b"], ["a", "c", "b", "d"], 5, true],
    [["a", "b", "c"], ["a"], 1, false],
    [[], ["a"], 5, false],
    [["a"], [], 5, false],
  ])("of gold %j in %j at %d: %s", (gold, predicted, k, covered) => {
    expect(isCovered(gold, predicted, k)).toBe(covered);
  });

  it("is a share of all instances, and never falls with k", () => {
    const files = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 4 });
    const instances = fc.array(fc.record({ gold: files, predicted: files }), { minLength: 1 });
    fc.assert(
      fc.property(instances, fc.integer({ min: 1, max: 4 }), (some, k) => {
        const hits = some.filter((one) => isCovered(one.gold, one.predicted, k)).length;
        expect(accuracyAt(k, some)).toBe(hits / some.length);
        expect(accuracyAt(k + 1, some)).toBeGreaterThanOrEqual(accuracyAt(k, some));
      }),
    );
  });
});
