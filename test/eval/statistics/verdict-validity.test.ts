import { describe, expect, it } from "vitest";
import type { Verdict } from "../../../src/domain/plan.ts";
import { verdictValidity } from "../../../src/eval/statistics/verdict-validity.ts";

function episodes(count: number, resolved: boolean, verdict: Verdict | null) {
  const [arm, seed] = ["full", 1];
  return Array.from({ length: count }, (_, at) => {
    return { instance: `${resolved}-${verdict}-${at}`, arm, seed, resolved, verdict };
  });
}

describe("verdictValidity", () => {
  it("is the share that passed among resolved and among unresolved episodes", () => {
    const rows = [
      ...episodes(18, true, "pass"),
      ...episodes(2, true, "fail"),
      ...episodes(5, false, "pass"),
      ...episodes(13, false, "fail"),
      ...episodes(3, true, "undefined"),
      ...episodes(4, false, null),
    ];
    const { resolvedPass, unresolvedPass, without } = verdictValidity(rows);
    expect(resolvedPass).toMatchObject({ k: 18, n: 20, share: 0.9 });
    expect(unresolvedPass).toMatchObject({ k: 5, n: 18 });
    expect(unresolvedPass.share).toBeCloseTo(0.278, 3);
    expect(without).toBe(7);
  });

  it("has no share without a verdict", () => {
    expect(verdictValidity(episodes(2, true, null))).toMatchObject({
      resolvedPass: { n: 0, share: null },
      unresolvedPass: { n: 0, share: null },
      without: 2,
    });
  });
});
