import { describe, expect, it } from "vitest";
import { byArming, byDifficulty, strata } from "../../../src/eval/statistics/strata.ts";
import { patternRows } from "./outcome-rows.ts";

const rows = [
  ...patternRows("baseline", ["1", "0", "1", "0"]),
  ...patternRows("full", ["1", "1", "1", "0"]),
];

describe("strata", () => {
  it("puts each instance in one stratum, whole", () => {
    const found = strata(rows, (own) => (own.every(({ resolved }) => resolved) ? "always" : "not"));
    expect(found.map(({ name, instances }) => ({ name, instances }))).toEqual([
      { name: "always", instances: ["i001", "i003"] },
      { name: "not", instances: ["i002", "i004"] },
    ]);
    expect(found.flatMap((stratum) => stratum.rows)).toHaveLength(rows.length);
  });

  it("orders difficulties by length, whatever the order of rows", () => {
    const difficulty: Record<string, string | null> = {
      i001: "1-4 hours",
      i002: "<15 min fix",
      i003: null,
      i004: "15 min - 1 hour",
    };
    const known = rows.map((row) => ({ ...row, difficulty: difficulty[row.instance] ?? null }));
    expect(byDifficulty(known).map(({ name, instances }) => [name, ...instances])).toEqual([
      ["<15 min fix", "i002"],
      ["15 min - 1 hour", "i004"],
      ["1-4 hours", "i001"],
      ["unknown", "i003"],
    ]);
  });

  it("arms an instance in every arm when one of its rows is armed", () => {
    const armed = rows.map((row) => ({
      ...row,
      armed: row.arm === "full" && row.instance < "i003",
    }));
    const [without, withScript] = byArming(armed);
    expect(without).toMatchObject({ name: "unarmed", instances: ["i003", "i004"] });
    expect(withScript).toMatchObject({ name: "armed", instances: ["i001", "i002"] });
    expect(withScript?.rows.map(({ arm }) => arm).sort()).toEqual([
      "baseline",
      "baseline",
      "full",
      "full",
    ]);
  });
});
