import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byMeanRank } from "../../../src/workflows/experepair/mean-rank.ts";

describe("byMeanRank", () => {
  it.each([
    [
      "means 2, 1.333 and 2.667",
      3,
      [
        [1, 0, 2],
        [1, 2, 0],
        [0, 1, 2],
      ],
      [1, 0, 2],
    ],
    ["one that is left out as the worst", 3, [[2], [2, 0]], [2, 0, 1]],
    [
      "a tie by the earlier",
      2,
      [
        [0, 1],
        [1, 0],
      ],
      [0, 1],
    ],
    ["no votes as they came", 3, [], [0, 1, 2]],
    ["nobody", 0, [], []],
  ])("ranks %s", (_, count, rankings, expected) => {
    expect(byMeanRank(count, rankings)).toEqual(expected);
  });

  it("names each candidate once, and follows a vote that stands alone", () => {
    const count = 6;
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }), (ranking) => {
        expect(byMeanRank(count, [ranking])).toEqual(ranking);
        expect(byMeanRank(count, [ranking, ranking])).toEqual(ranking);
      }),
    );
  });
});
