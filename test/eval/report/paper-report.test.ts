import { beforeAll, describe, expect, it } from "vitest";
import type { EpisodeResult } from "../../../src/eval/batch/episode-result.ts";
import { type Analysis, analyse, materialOf } from "../../../src/eval/report/analysis.ts";
import { markdownOf } from "../../../src/eval/report/markdown.ts";
import { documentOf } from "../../../src/eval/report/report.ts";
import { difficulties } from "../../../src/eval/statistics/strata.ts";
import { totalRows } from "../statistics/outcome-rows.ts";
import { resultOf, sourceOf } from "./report-source.ts";

/** Of plan-only and memory-only the paper prints the sums alone; this fill is one of six. */
const totals = {
  baseline: [139, 144, 144],
  "plan-only": [147, 149, 150],
  "memory-only": [148, 150, 154],
  full: [170, 164, 168],
};

/** Each arm's runs resolve the first so many of 500 instances. */
const results = Object.entries(totals).flatMap(([arm, runs]) =>
  totalRows(arm, runs, 500).map(resultOf),
);

const reported = (rows: readonly EpisodeResult[]) => {
  // Means, F and exact tests do not depend on the number of draws.
  const bootstrap = { resamples: 500, seed: 1 };
  const analysis = analyse(materialOf(sourceOf(rows), { bootstrap }));
  return { analysis, text: markdownOf(documentOf(analysis)) };
};

describe("the published design (arXiv:2608.06811)", () => {
  let text = "";
  let analysis: Analysis;
  beforeAll(() => {
    ({ text, analysis } = reported(results));
  });

  it.each([
    // Table III
    "| baseline | 139 | 144 | 144 | 142.3 | 28.5 % |",
    "| full | 170 | 164 | 168 | 167.3 | 33.5 % |",
    "| full against baseline | +31 | +20 | +24 | +25.0 |",
    // Table VIII
    "| plan-only | on | off | 147, 149, 150 | 148.7 | 29.7 % | +6.3 |",
    "| memory-only | off | on | 148, 150, 154 | 150.7 | 30.1 % | +8.3 |",
    "| full | on | on | 170, 164, 168 | 167.3 | 33.5 % | +25.0 |",
    "if the two only added up, both would add +14.7. They add +25.0.",
    "| plan × memory | +10.3 | +2.1 | +3.1 to +17.5 | 80.08 | 10.92 | .011 |",
    "| plan | +23.0 | +4.6 | +15.8 to +30.2 | 396.75 | 54.10 | 8.0e-5 |",
    "| memory | +27.0 | +5.4 | +19.8 to +34.2 | 546.75 | 74.56 | 2.5e-5 |",
    "Interaction of plan and memory: +10.3 instances (+2.1 points), F(1,8) = 10.92, p = .011.",
    // No draw crosses zero: with 500 draws no more can be said.
    ", +5.0 points, p < .004.",
    "Read: baseline, plan-only, memory-only and full (seeds 1–3); 500 instances, 6,000 episodes.",
  ])("is reported: %s", (line) => {
    expect(text).toContain(line);
  });

  it("stands in the numbers too", () => {
    const [gain] = analysis.gains.filter(({ pair }) => pair.treatment === "full");
    expect(gain?.total?.value).toBeCloseTo(25, 9);
    expect(gain?.runs.map(({ won, lost }) => won.length - lost.length)).toEqual([31, 20, 24]);
    expect(JSON.parse(JSON.stringify(analysis))).toEqual(analysis);
  });

  it("survives JSON: the same report is made from what --json prints", () => {
    expect(markdownOf(documentOf(JSON.parse(JSON.stringify(analysis))))).toBe(text);
  });
});

describe("one run by difficulty (Table IV)", () => {
  const sizes = [
    { n: 194, baseline: 89, full: 101 },
    { n: 261, baseline: 50, full: 67 },
    { n: 42, baseline: 0, full: 2 },
    { n: 3, baseline: 0, full: 0 },
  ];
  const rows = sizes.flatMap(({ n, ...resolved }, at) =>
    Object.entries(resolved).flatMap(([arm, total]) =>
      totalRows(arm, [total], n).map(({ instance, ...row }) =>
        resultOf({ ...row, instance: `${at}-${instance}`, difficulty: difficulties[at] ?? null }),
      ),
    ),
  );
  const { text } = reported(rows);

  it.each([
    "| <15 min fix | full against baseline | 194 | 89.0 | 45.9 % | 101.0 | 52.1 % | +12.0 |",
    "| 15 min - 1 hour | full against baseline | 261 | 50.0 | 19.2 % | 67.0 | 25.7 % | +17.0 |",
    "| 1-4 hours | full against baseline | 42 | 0.0 | 0.0 % | 2.0 | 4.8 % | +2.0 |",
    "| >4 hours | full against baseline | 3 | 0.0 | 0.0 % | 0.0 | 0.0 % | 0.0 |",
    // A single run has Wilson's interval: 139 of 500.
    "| baseline | 139 | 139.0 | 27.8 % | 24.1 % to 31.9 % | – |",
    "Intervals: Wilson's score interval of the one run.",
  ])("is reported: %s", (line) => {
    expect(text).toContain(line);
  });

  it("cannot tell instances from runs, and says so", () => {
    expect(text).toContain("With one run of each arm, what instances vary by");
  });
});

describe("signatures and verdicts (Table V)", () => {
  const shares = { baseline: [0.0137, 83, 67, 2.89, 47.3], full: [0.0069, 27, 30, 4.23, 51.9] };
  const rows = Object.entries(shares).flatMap(
    ([arm, [failedRecurrence = 0, gaveUp = 0, exhausted = 0, recoveries = 0, turns = 0]]) =>
      totalRows(arm, [0], 1000).map((row, at) =>
        resultOf({
          ...row,
          resolved: arm === "full" && at < 20,
          armed: arm === "full",
          // 18 of 20 resolved and 5 of 18 others passed; the rest has no verdict.
          verdict: arm === "full" && at < 38 ? (at < 18 || at > 32 ? "pass" : "fail") : null,
          signature: {
            failedRecurrence,
            gaveUp: at < gaveUp,
            contextExhausted: at >= 1000 - exhausted,
            recoveries,
            turns,
          },
        }),
      ),
  );
  const { text } = reported(rows);

  it.each([
    /failed action repeated, of steps \| full against baseline \| 1\.37 % \| 0\.69 % \| −0\.68 .* 0\.50× \|/,
    /gave up without a change of code .* 8\.3 % \| 2\.7 % \| −5\.6 .* \| 0\.33× \|/,
    /context exhausted .* 6\.7 % \| 3\.0 % \| −3\.7 .* \| 0\.45× \|/,
    /reverted, then fixed again, per episode .* 2\.89 \| 4\.23 \| \+1\.34 .* \| 1\.46× \|/,
    /episode length, steps .* 47\.3 \| 51\.9 \| \+4\.6 .* \| 1\.10× \|/,
    /\| full \| 18 of 20 \| 90\.0 % \| [^|]* \| 5 of 18 \| 27\.8 % \| [^|]* \| 962 \|/,
  ])("are reported: %s", (line) => {
    expect(text).toMatch(line);
  });

  it("says that no p is corrected where there are many", () => {
    expect(text).toContain("If none of 5 independent effects were real");
  });
});
