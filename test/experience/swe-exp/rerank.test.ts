import { describe, expect, it } from "vitest";
import { ranked } from "../../../src/experience/swe-exp/rerank.ts";

const ten = [..."CDEFGHIJKL"].map((id) => ({ id }));

describe("ranked", () => {
  it.each<[string, Record<string, unknown> | null, number, string[]]>([
    ["takes what the model picked", { D: { reason: "r" } }, 1, ["D"]],
    ["takes the nearest where it picked what was not shown", { Z: { reason: "r" } }, 1, ["C"]],
    ["takes the first of more than were wanted", { F: {}, D: {} }, 1, ["F"]],
    ["takes the nearest where nothing could be read", null, 1, ["C"]],
    ["takes several in the model's order", { F: {}, Z: {}, D: {}, C: {} }, 2, ["F", "D"]],
    ["takes what an object inherits for no pick", { toString: {}, E: {} }, 1, ["E"]],
    ["takes none where none is wanted", { D: {} }, 0, []],
  ])("%s", (_, ranking, k, ids) => {
    expect(ranked(ranking, ten, k).map(({ id }) => id)).toEqual(ids);
  });
});
