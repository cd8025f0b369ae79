import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { shareOf } from "../../../src/eval/replay-share.ts";
import { summarizeArm } from "../../../src/eval/statistics/arm.ts";
import { summed } from "../../../src/eval/statistics/bootstrap.ts";
import { compare, contrast } from "../../../src/eval/statistics/contrast.ts";
import {
  effectWeights,
  factorialOf,
  planAndMemory,
} from "../../../src/eval/statistics/factorial-design.ts";
import { resolvedMeasure } from "../../../src/eval/statistics/outcome.ts";
import { pairedRuns } from "../../../src/eval/statistics/paired-runs.ts";
import { compareSignatures } from "../../../src/eval/statistics/signature-comparison.ts";
import { byArming, byDifficulty, difficulties } from "../../../src/eval/statistics/strata.ts";
import { capable } from "../../capabilities.ts";
import { flippedRows, pair, totalRows } from "./outcome-rows.ts";

const pairs = z.tuple([z.number(), z.number()]);
const PaperConstants = z.object({
  pmcoder: z.object({
    runs: z.object({ baseline: z.array(z.number()), full: z.array(z.number()) }),
    sums: z.object({ planOnly: z.number(), memoryOnly: z.number() }),
    n: z.number(),
    factorial: z.object({ interaction: z.number(), F: z.number(), p: z.number(), sse: z.number() }),
    difficulty: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])),
    signatures: z.object({
      failedRecurrence: pairs,
      emptyPatch: pairs,
      contextExhaustion: pairs,
      revertRefix: pairs,
      steps: pairs,
    }),
    strata: z.record(z.string(), z.tuple([z.number(), z.number(), z.number()])),
    verdict: z.object({ resolvedPass: pairs, unresolvedPass: pairs }),
    cross: z.record(z.string(), pairs),
  }),
});
type Paper = z.infer<typeof PaperConstants>["pmcoder"];

/** The published tables (arXiv:2608.06811, III to VIII). */
const paper: Paper = {
  runs: { baseline: [139, 144, 144], full: [170, 164, 168] },
  sums: { planOnly: 446, memoryOnly: 452 },
  n: 500,
  factorial: { interaction: 10.333333, F: 10.92, p: 0.011, sse: 58.666667 },
  difficulty: [
    ["<15min", 194, 89, 101],
    ["15min-1h", 261, 50, 67],
    ["1-4h", 42, 0, 2],
    [">4h", 3, 0, 0],
  ],
  signatures: {
    failedRecurrence: [0.0137, 0.0069],
    emptyPatch: [0.083, 0.027],
    contextExhaustion: [0.067, 0.03],
    revertRefix: [2.89, 4.23],
    steps: [47.3, 51.9],
  },
  strata: { unarmed: [94, 106, 315], armed: [45, 64, 185] },
  verdict: { resolvedPass: [18, 20], unresolvedPass: [5, 18] },
  cross: {
    "deepseek-v4-flash": [341, 357],
    "claude-haiku-4-5": [313, 327],
    openhands: [146, 169],
    terminalworld20: [5, 7],
  },
};

const folder = process.env["PMCODER_DATA"] ?? "";

describe.runIf(capable("data", () => folder !== ""))("the constants that are kept as data", () => {
  it("are those of these tests", () => {
    const text = readFileSync(join(folder, "paper-constants.json"), "utf8");
    expect(PaperConstants.parse(JSON.parse(text)).pmcoder).toEqual(paper);
  });
});

/** Estimates do not depend on resamples; the intervals of the paper cannot be computed again. */
const quick = { resamples: 100, seed: 1 };
const { runs, n } = paper;
const headline = [...totalRows("baseline", runs.baseline, n), ...totalRows("full", runs.full, n)];

describe("Table III", () => {
  it.each([
    { arm: "baseline", mean: 142.33, share: 0.285 },
    { arm: "full", mean: 167.33, share: 0.335 },
  ])("$arm resolves $mean of 500", ({ arm, mean, share }) => {
    const { resolved } = summarizeArm(headline, arm, quick);
    expect(resolved?.value).toBeCloseTo(share, 3);
    expect(resolved && summed(resolved).value).toBeCloseTo(mean, 2);
  });

  it("gains 31, 20 and 24, and 25 on average", () => {
    const gains = pairedRuns(headline, pair).map(({ won, lost }) => won.length - lost.length);
    expect(gains).toEqual([31, 20, 24]);
    const found = compare(headline, pair, resolvedMeasure, quick)?.difference;
    expect(found && summed(found).value).toBeCloseTo(25, 9);
    expect(found?.value).toBeCloseTo(0.05, 12);
  });

  // The counts are not printed: these are the ones that its p can come from.
  it.each([
    { run: 1, won: 63, lost: 32, gain: 31, p: 0.002 },
    { run: 2, won: 50, lost: 30, gain: 20, p: 0.033 },
  ])("run $run has p = $p", ({ won, lost, gain, p }) => {
    const [found] = pairedRuns(flippedRows(won, lost, n), pair);
    expect(won - lost).toBe(gain);
    expect(found?.test.exact).toBeCloseTo(p, 3);
  });
});

describe("Table IV", () => {
  const rows = paper.difficulty.flatMap(([, size, before, after], at) => {
    const difficulty = difficulties[at] ?? "";
    return [...totalRows("baseline", [before], size), ...totalRows("full", [after], size)].map(
      (row) => ({ ...row, instance: `${at}-${row.instance}`, difficulty }),
    );
  });

  it("splits run 1 by difficulty", () => {
    const found = byDifficulty(rows).map((stratum) => {
      const [run] = pairedRuns(stratum.rows, pair);
      return [stratum.name, run?.n, (run?.both ?? 0) + (run?.lost.length ?? 0), run?.won.length];
    });
    expect(found).toEqual([
      ["<15 min fix", 194, 89, 12],
      ["15 min - 1 hour", 261, 50, 17],
      ["1-4 hours", 42, 0, 2],
      [">4 hours", 3, 0, 0],
    ]);
    expect(pairedRuns(rows, pair)[0]).toMatchObject({ n: 500, both: 139 });
    const gains = byDifficulty(rows).map(
      ({ rows: own }) => compare(own, pair, resolvedMeasure, quick)?.difference.value ?? Number.NaN,
    );
    expect(gains[0]).toBeCloseTo(0.062, 3);
    expect(gains[1]).toBeCloseTo(0.065, 3);
  });
});

describe("the strata of armed and unarmed instances", () => {
  const rows = Object.entries(paper.strata).flatMap(([name, [before, after, size]]) =>
    [...totalRows("baseline", [before], size), ...totalRows("full", [after], size)].map((row) => ({
      ...row,
      instance: `${name}-${row.instance}`,
      armed: name === "armed" && row.arm === "full",
    })),
  );

  it("add up to run 1", () => {
    const found = byArming(rows).map(({ name, instances, rows: own }) => {
      const resolved = (arm: string) => summarizeArm(own, arm, quick).runs[0]?.resolved.k;
      return [name, instances.length, resolved("baseline"), resolved("full")];
    });
    expect(found).toEqual([
      ["unarmed", 315, 94, 106],
      ["armed", 185, 45, 64],
    ]);
    expect(summarizeArm(rows, "full", quick).runs[0]?.resolved).toMatchObject({ k: 170, n: 500 });
    expect(summarizeArm(rows, "baseline", quick).runs[0]?.resolved).toMatchObject({
      k: 139,
      n: 500,
    });
  });
});

describe("Table V", () => {
  const { failedRecurrence, emptyPatch, contextExhaustion, revertRefix, steps } = paper.signatures;
  const arms = (["baseline", "full"] as const).flatMap((arm, at) =>
    // 1,000 episodes, so that shares of them can be the printed ones.
    totalRows(arm, [0], 1000).map((row, index) => ({
      ...row,
      failedRecurrence: failedRecurrence[at] ?? null,
      gaveUp: index < 1000 * (emptyPatch[at] ?? 0),
      contextExhausted: index >= 1000 - 1000 * (contextExhaustion[at] ?? 0),
      recoveries: revertRefix[at] ?? null,
      turns: steps[at] ?? null,
    })),
  );
  const found = compareSignatures(arms, pair, quick);

  it.each([
    { is: found.failedRecurrence, name: "failed-action recurrence", ratio: 0.504 },
    { is: found.gaveUp, name: "give-up", ratio: 0.325 },
    { is: found.contextExhausted, name: "context exhaustion", ratio: 0.448 },
    { is: found.recoveries, name: "revert-then-refix", ratio: 1.464 },
    { is: found.turns, name: "episode length", ratio: 1.097 },
  ])("$name changes by a factor of $ratio", ({ is, ratio }) => {
    expect(is?.ratio.value).toBeCloseTo(ratio, 3);
  });
});

describe("Tables VI and VII", () => {
  it.each([
    { name: "deepseek-v4-flash", of: 500, points: 3.2 },
    { name: "claude-haiku-4-5", of: 500, points: 2.8 },
    { name: "openhands", of: 500, points: 4.6 },
    { name: "terminalworld20", of: 20, points: 10 },
  ])("$name gains $points points", ({ name, of, points }) => {
    const [before, after] = paper.cross[name] ?? [Number.NaN, Number.NaN];
    const rows = [...totalRows("baseline", [before], of), ...totalRows("full", [after], of)];
    const { difference } = compare(rows, pair, resolvedMeasure, quick) ?? {};
    expect(100 * (difference?.value ?? Number.NaN)).toBeCloseTo(points, 9);
    expect(summarizeArm(rows, "full", quick).runs[0]?.resolved).toEqual(shareOf(after, of));
  });
});

describe("Table VIII", () => {
  // Of the two middle arms only the sums are known; this is one of six fills that F allows.
  const fill = { "plan-only": [147, 149, 150], "memory-only": [148, 150, 154] };
  const rows = [
    ...headline,
    ...Object.entries(fill).flatMap(([arm, totals]) => totalRows(arm, totals, n)),
  ];

  it.each([
    { arm: "plan-only", mean: 148.67, gain: 6.3 },
    { arm: "memory-only", mean: 150.67, gain: 8.3 },
    { arm: "full", mean: 167.33, gain: 25 },
  ])("$arm resolves $mean, $gain more", ({ arm, mean, gain }) => {
    const found = compare(rows, { baseline: "baseline", treatment: arm }, resolvedMeasure, quick);
    expect(500 * (found?.treatment ?? Number.NaN)).toBeCloseTo(mean, 2);
    expect(500 * (found?.difference.value ?? Number.NaN)).toBeCloseTo(gain, 1);
  });

  it("has an interaction of +10.3, F(1,8) = 10.92, p = .011", () => {
    const found = factorialOf(rows, planAndMemory, resolvedMeasure);
    const sums = found?.cells.map(({ totals }) => totals.reduce((all, one) => all + one, 0));
    expect(sums).toEqual([427, paper.sums.planOnly, paper.sums.memoryOnly, 502]);
    expect(found?.error.df).toBe(8);
    expect(found?.error.sumOfSquares).toBeCloseTo(paper.factorial.sse, 5);
    expect(found?.effects[2]?.contrast).toBeCloseTo(paper.factorial.interaction, 5);
    expect(found?.effects[2]?.f).toBeCloseTo(paper.factorial.F, 2);
    expect(found?.effects[2]?.p).toBeCloseTo(paper.factorial.p, 3);
  });

  it("would have added up to +14.7", () => {
    const weights = effectWeights(planAndMemory, ["plan", "memory"]);
    const interaction = contrast(rows, weights, resolvedMeasure, quick);
    const together = compare(rows, pair, resolvedMeasure, quick)?.difference.value ?? Number.NaN;
    expect(interaction && 500 * interaction.value).toBeCloseTo(10.3, 1);
    expect(interaction && 500 * (together - interaction.value)).toBeCloseTo(14.7, 1);
  });
});
