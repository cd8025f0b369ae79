import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance, nearest } from "../../src/domain/nearest.ts";

describe("edit distance", () => {
  it.each([
    ["", "", 0],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
    ["lamda", "lambda", 1],
    ["ab", "ba", 2],
  ])("%j to %j is %i", (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  it("is a metric", () => {
    const word = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      }),
    );
  });
});

describe("the nearest candidates", () => {
  it("come nearest first, within reach, at most as many as asked", () => {
    const words = ["step", "stop", "stoop", "ship"];
    expect(nearest("stop", words, { count: 2, within: 1 })).toEqual(["stop", "step"]);
    expect(nearest("stop", words, { count: 9, within: 1 })).toEqual(["stop", "step", "stoop"]);
    expect(nearest("anchor", words, { count: 9, within: 2 })).toEqual([]);
  });
});
