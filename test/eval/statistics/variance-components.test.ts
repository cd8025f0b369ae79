import { describe, expect, it } from "vitest";
import { clusterBootstrap } from "../../../src/eval/statistics/bootstrap.ts";
import { compare } from "../../../src/eval/statistics/contrast.ts";
import { type Outcome, resolvedMeasure } from "../../../src/eval/statistics/outcome.ts";
import { standardErrorOf } from "../../../src/eval/statistics/power.ts";
import { randomIndices } from "../../../src/eval/statistics/random.ts";
import { varianceComponents } from "../../../src/eval/statistics/variance-components.ts";
import { pair, patternRows } from "./outcome-rows.ts";

/** Runs that succeed with a chance of their instance: .3 before; .3, or for every fifth .8, after. */
function simulated(n: number, seeds: number): readonly Outcome[] {
  const draw = randomIndices(5);
  const pattern = (chance: number) =>
    Array.from({ length: seeds }, () => (draw(1000) < chance * 1000 ? "1" : "0")).join("");
  const before = Array.from({ length: n }, () => pattern(0.3));
  const after = Array.from({ length: n }, (_, at) => pattern(at % 5 === 0 ? 0.8 : 0.3));
  return [...patternRows("baseline", before), ...patternRows("full", after)];
}

describe("varianceComponents", () => {
  it("tells runs from instances", () => {
    const found = varianceComponents(simulated(4000, 3), pair, resolvedMeasure);
    // Effect .5 for a fifth: .04. Runs: .21 before, .2·.16 + .8·.21 = .2 after.
    expect(found?.between).toBeCloseTo(0.04, 1);
    expect(Math.abs((found?.between ?? 0) - 0.04)).toBeLessThan(0.01);
    expect(Math.abs((found?.within ?? 0) - 0.41)).toBeLessThan(0.01);
  });

  it("gives the standard error that the bootstrap has", () => {
    const rows = simulated(500, 3);
    const components = varianceComponents(rows, pair, resolvedMeasure);
    const bootstrapped = compare(rows, pair, resolvedMeasure)?.difference.standardError;
    const computed = components && standardErrorOf(components, { instances: 500, seeds: 3 });
    expect((bootstrapped ?? 0) / (computed ?? 1)).toBeCloseTo(1, 1);
  });

  it("finds no variance where there is none", () => {
    const rows = [...patternRows("baseline", ["00", "11"]), ...patternRows("full", ["00", "11"])];
    expect(varianceComponents(rows, pair, resolvedMeasure)).toEqual({ between: 0, within: 0 });
  });

  it("cannot tell from one run, or from one instance", () => {
    const rows = [...patternRows("baseline", ["0", "1"]), ...patternRows("full", ["0", "1"])];
    expect(varianceComponents(rows, pair, resolvedMeasure)).toBeNull();
    const one = [...patternRows("baseline", ["01"]), ...patternRows("full", ["11"])];
    expect(varianceComponents(one, pair, resolvedMeasure)).toBeNull();
    expect(clusterBootstrap([1])?.standardError).toBe(0);
  });
});
