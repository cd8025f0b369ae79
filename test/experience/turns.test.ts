import { describe, expect, it } from "vitest";
import { experienceNames } from "../../src/domain/experience.ts";
import { isAsked, isDue, turns } from "../../src/experience/turns.ts";

describe("whose turn it is", () => {
  it.each([
    ["explore", 1, [], ["commits", "insights", "records", "experience"]],
    ["implement", 1, [], ["insights", "records", "experience"]],
    ["hypothesize", 2, ["explore"], ["records"]],
    ["implement", 3, ["explore", "hypothesize"], ["records", "experience"]],
    ["verify", 4, ["explore", "implement"], ["records"]],
    ["implement", 5, ["explore", "implement", "verify"], ["records"]],
    ["backtrack", 6, ["implement", "verify"], ["insights", "records"]],
    ["explore", 7, ["implement", "backtrack"], ["commits", "records", "experience"]],
  ] as const)("on entering %s as number %i after %j: %j", (phase, entry, before, expected) => {
    const earlier = before.map((one) => ({ phase: one }));
    expect(turns.filter((turn) => isDue(turn, { phase, entry }, earlier))).toEqual(expected);
  });

  it("asks no memory that has no turn", () => {
    const occasion = { phase: "verify", entry: 2 } as const;
    const asked = experienceNames.filter((name) => isAsked(name, occasion, []));
    expect(asked).toEqual(["experepair", "adarepair"]);
  });
});
