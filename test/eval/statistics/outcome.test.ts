import { describe, expect, it } from "vitest";
import {
  armsOf,
  instanceMeans,
  resolvedMeasure,
  rowsOfArm,
  runValues,
  seedsOf,
} from "../../../src/eval/statistics/outcome.ts";
import { patternRows } from "./outcome-rows.ts";

const rows = [...patternRows("full", ["10", "01", "11"]), ...patternRows("baseline", ["0"])];

describe("an outcome table", () => {
  it("names its arms and their seeds", () => {
    expect(armsOf(rows)).toEqual(["full", "baseline"]);
    expect(seedsOf(rows.toReversed(), "full")).toEqual([1, 2]);
    expect(seedsOf(rows, "placebo")).toEqual([]);
  });

  it("is the same table in any order of its rows", () => {
    const turned = rowsOfArm(rows.toReversed(), "full");
    expect([...turned]).toEqual([...rowsOfArm(rows, "full")]);
    expect([...turned.keys()]).toEqual(["i001", "i002", "i003"]);
  });

  it("gives means over runs, and one run", () => {
    expect([...instanceMeans(rows, "full", resolvedMeasure)]).toEqual([
      ["i001", 0.5],
      ["i002", 0.5],
      ["i003", 1],
    ]);
    expect([...runValues(rows, { arm: "full", seed: 2 }, resolvedMeasure)]).toEqual([
      ["i001", 0],
      ["i002", 1],
      ["i003", 1],
    ]);
  });

  it("refuses an episode that stands there twice", () => {
    const twice = [...rows, ...patternRows("baseline", ["1"])];
    expect(() => rowsOfArm(twice, "baseline")).toThrow(
      "Each episode should stand in the outcome table once, but i001, arm baseline, seed 1 stands there twice: remove one of the two.",
    );
  });
});
