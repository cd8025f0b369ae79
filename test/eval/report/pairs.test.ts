import { describe, expect, it } from "vitest";
import { pairsOf, shownPairs } from "../../../src/eval/report/pairs.ts";

const named = (pairs: ReturnType<typeof pairsOf>) => ({
  headline: pairs.headline && `${pairs.headline.baseline}>${pairs.headline.treatment}`,
  gains: pairs.gains.map(({ baseline, treatment }) => `${baseline}>${treatment}`),
  losses: pairs.losses.map(({ baseline, treatment }) => `${baseline}>${treatment}`),
});

describe("the comparisons of an experiment", () => {
  it("judges arms against the baseline, and variants against the full arm", () => {
    expect(named(pairsOf(["baseline", "plan-only", "memory-only", "full"]))).toEqual({
      headline: "baseline>full",
      gains: ["baseline>plan-only", "baseline>memory-only", "baseline>full"],
      losses: ["full>plan-only", "full>memory-only"],
    });
  });

  it("judges ablations against the full arm alone", () => {
    const pairs = pairsOf(["full", "no-grounding", "placebo"]);
    expect(named(pairs)).toEqual({
      headline: "full>no-grounding",
      gains: [],
      losses: ["full>no-grounding", "full>placebo"],
    });
    expect(shownPairs(pairs)).toEqual(pairs.losses);
  });

  it("takes the first arm where no name is known", () => {
    expect(named(pairsOf(["a", "b", "c"]))).toEqual({
      headline: "a>b",
      gains: ["a>b", "a>c"],
      losses: [],
    });
  });

  it("follows the user's choice", () => {
    const chosen = { baseline: "plan-only", treatment: "baseline" };
    expect(named(pairsOf(["baseline", "plan-only", "full"], chosen))).toEqual({
      headline: "plan-only>baseline",
      gains: ["plan-only>baseline", "plan-only>full"],
      losses: ["full>baseline"],
    });
  });

  it("compares nothing where there is one arm", () => {
    expect(named(pairsOf(["full"]))).toEqual({ headline: null, gains: [], losses: [] });
  });

  it.each([
    [{ treatment: "ful" }, "There is no arm ful in this experiment; its arms are baseline, full."],
    [{ baseline: "full", treatment: "full" }, "An arm cannot be judged against itself: full."],
    [{ treatment: "baseline" }, "An arm cannot be judged against itself: baseline."],
  ])("refuses %j", (chosen, message) => {
    expect(() => pairsOf(["baseline", "full"], chosen)).toThrow(message);
  });
});
