import { describe, expect, it } from "vitest";
import { free, type Price } from "../../../src/domain/model.ts";
import { mayStart } from "../../../src/eval/experiment/budget.ts";
import { jobOf } from "../../../src/eval/experiment/expand.ts";
import { forecastOf } from "../../../src/eval/experiment/forecast.ts";

const caps = { perRunUsd: 3, totalUsd: 10_000 };
const measured: Price = { input: 2, cached: 0.2, cacheWritten: 2, output: 12 };
const jobs = (arm: string, count: number) =>
  Array.from({ length: count }, (_, index) => jobOf(`a__a-${index}`, arm, 1));
const loop = (price: Price | null) => ({ name: "baseline", price, isAdvised: false });
const full = (price: Price | null) => ({ name: "full", price, isAdvised: true });

describe("the forecast", () => {
  it("is what the measured runs cost, for their own price", () => {
    const { rows } = forecastOf(jobs("baseline", 1), [loop(measured)], caps);
    // 140 runs cost $0.479 on average.
    expect(rows[0]?.perEpisode?.expected).toBeCloseTo(0.479, 3);
    expect(rows[0]?.perEpisode?.low).toBeCloseTo(0.253, 3);
    expect(rows[0]?.perEpisode?.high).toBeCloseTo(0.557, 3);
  });

  it("takes more for an arm with plan and memory", () => {
    const { rows } = forecastOf(jobs("full", 1), [full(measured)], caps);
    // (680,855 × 1.2040 + 73,168) × .425 + (26,045 × 1.0973 + 2,656) × 2 + 11,501 × 1.0973 × 12.
    expect(rows[0]?.perEpisode?.expected).toBeCloseTo(0.5934, 4);
  });

  it("adds up jobs by arm", () => {
    const both = [...jobs("baseline", 3), ...jobs("full", 2)];
    const { rows, total, atMost } = forecastOf(both, [loop(measured), full(measured)], caps);
    expect(rows.map(({ arm, episodes }) => [arm, episodes])).toEqual([
      ["baseline", 3],
      ["full", 2],
    ]);
    expect(total?.expected).toBeCloseTo(3 * 0.4795 + 2 * 0.5934, 3);
    expect(atMost).toBe(15);
  });

  it("passes no cap: of a run, nor of the experiment", () => {
    const dear = { input: 100, cached: 100, cacheWritten: 100, output: 100 };
    const { total, atMost } = forecastOf(jobs("full", 4), [full(dear)], { ...caps, totalUsd: 7 });
    expect(total).toEqual({ low: 12, expected: 12, high: 12 });
    expect(atMost).toBe(7);
  });

  it("is nothing for what costs nothing, and unknown for an unknown price", () => {
    const nothing = { low: 0, expected: 0, high: 0 };
    expect(forecastOf(jobs("full", 4), [full(free)], caps).total).toEqual(nothing);
    const mixed = forecastOf(
      [...jobs("full", 1), ...jobs("baseline", 1)],
      [full(null), loop(free)],
      caps,
    );
    expect(mixed).toMatchObject({ total: null, rows: [{ total: null }, { total: nothing }] });
  });
});

describe("the cap of an experiment", () => {
  it.each([
    [{ spent: 0, running: 0 }, 3, true],
    [{ spent: 0, running: 0 }, 2.99, false],
    [{ spent: 4, running: 1 }, 10, true],
    [{ spent: 4.01, running: 1 }, 10, false],
    [{ spent: 10, running: 0 }, 10, false],
  ])("with %j of runs at $3 under $%d lets one start: %s", (spending, totalUsd, may) => {
    expect(mayStart(spending, { perRunUsd: 3, totalUsd }, false)).toBe(may);
  });

  it("holds nothing up that is free", () => {
    expect(mayStart({ spent: 0, running: 9 }, { perRunUsd: 3, totalUsd: 0 }, true)).toBe(true);
  });
});
