import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flips, pairedRuns } from "../../../src/eval/statistics/paired-runs.ts";
import { flippedRows, pair, pairedRows, patternRows } from "./outcome-rows.ts";

describe("pairedRuns", () => {
  it("tests each seed on its own", () => {
    const rows = [
      ...patternRows("baseline", ["111", "000", "010", "100"]),
      ...patternRows("full", ["111", "110", "111", "00"]),
    ];
    const runs = pairedRuns(rows, pair);
    expect(
      runs.map(({ seed, n, both, neither, won, lost }) => ({ seed, n, both, neither, won, lost })),
    ).toEqual([
      { seed: 1, n: 4, both: 1, neither: 0, won: ["i002", "i003"], lost: ["i004"] },
      { seed: 2, n: 4, both: 2, neither: 1, won: ["i002"], lost: [] },
      { seed: 3, n: 3, both: 1, neither: 1, won: ["i003"], lost: [] },
    ]);
    expect(runs.map(({ test }) => test.exact)).toEqual([1, 1, 1]);
  });

  it("leaves out seeds that one arm lacks", () => {
    const rows = [...patternRows("baseline", ["11", "00"]), ...patternRows("full", ["111", "110"])];
    expect(pairedRuns(rows, pair).map(({ seed }) => seed)).toEqual([1, 2]);
    expect(pairedRuns(rows, { ...pair, treatment: "placebo" })).toEqual([]);
  });

  it("gives the published p of the counts that it finds", () => {
    const [run] = pairedRuns(flippedRows(63, 32, 500), pair);
    expect(run).toMatchObject({ n: 500, both: 0, neither: 405, test: { won: 63, lost: 32 } });
    expect(run?.test.exact).toBeCloseTo(0.001924, 6);
  });
});

describe("flips", () => {
  it("lists instances won and lost over all runs, the clearest first", () => {
    const rows = [
      ...patternRows("baseline", ["111", "000", "010", "000", "100", "000"]),
      ...patternRows("full", ["111", "110", "111", "000", "00", "111"]),
    ];
    expect(flips(rows, pair)).toEqual({
      won: [
        { instance: "i006", baseline: { k: 0, n: 3 }, treatment: { k: 3, n: 3 } },
        { instance: "i002", baseline: { k: 0, n: 3 }, treatment: { k: 2, n: 3 } },
        { instance: "i003", baseline: { k: 1, n: 3 }, treatment: { k: 3, n: 3 } },
      ],
      lost: [{ instance: "i005", baseline: { k: 1, n: 3 }, treatment: { k: 0, n: 2 } }],
    });
  });

  it("adds up to the same gain as the runs", () => {
    fc.assert(
      fc.property(pairedRows, (rows) => {
        const { won, lost } = flips(rows, pair);
        const gained = [...won, ...lost].reduce(
          (total, { baseline, treatment }) => total + treatment.k - baseline.k,
          0,
        );
        const runs = pairedRuns(rows, pair);
        const byRun = runs.reduce((total, run) => total + run.won.length - run.lost.length, 0);
        expect(gained).toBe(byRun);
        for (const run of runs) {
          expect(run.both + run.neither + run.won.length + run.lost.length).toBe(run.n);
        }
      }),
    );
  });
});
