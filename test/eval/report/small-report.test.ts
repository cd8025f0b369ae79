import { describe, expect, it } from "vitest";
import { analyse, materialOf } from "../../../src/eval/report/analysis.ts";
import { markdownOf } from "../../../src/eval/report/markdown.ts";
import { documentOf } from "../../../src/eval/report/report.ts";
import { patternRows } from "../statistics/outcome-rows.ts";
import { resultOf, sourceOf } from "./report-source.ts";

// Four instances, two arms, two seeds: all 4⁴ resamples are taken, so every number is exact.
const outcomes = [
  ...patternRows("baseline", ["11", "00", "01", "00"]),
  ...patternRows("full", ["11", "11", "01", "10"]),
];
const results = outcomes.map((outcome) =>
  resultOf({ ...outcome, ...(outcome.arm === "full" ? { cost: 0.6, spent: 0.6 } : {}) }),
);

describe("the report of a small experiment", () => {
  it("says what was found, from what, and what is still open", () => {
    const jobs = results.map(({ job }) => job);
    const known = results.filter(({ job }) => job !== "baseline/seed-2/i004");
    const analysis = analyse(materialOf(sourceOf(known, { jobs })));
    const text = markdownOf(documentOf(analysis));
    const upTo = text.indexOf("## What episodes look like");
    expect(text.slice(0, upTo)).toMatchInlineSnapshot(`
      "# Experiment demo

      > **Note:** No verdict for 1 of 16 planned episodes (not ended 1, not graded 0, given up 0). What has none counts as not resolved.

      > **Note:** With 4 instances, intervals and p of a bootstrap by instance say little.

      Resolved of 4 instances, mean over the runs: baseline 1.5 (37.5 %), full 3 (75.0 %).

      full against baseline: +1.5 instances (0.0 to +3.0), +37.5 points, p = .125.

      ## Resolved instances

      **Resolved instances by arm and run**

      | arm | seed 1 | seed 2 | mean | share | 95 % interval | deviation of runs |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: |
      | baseline | 1 | 2 | 1.5 | 37.5 % | 0.0 % to 75.0 % | 17.68 points |
      | full | 3 | 3 | 3.0 | 75.0 % | 50.0 % to 100.0 % | 0.00 points |

      Intervals: a bootstrap by instance of the mean over an instance's runs. The denominator is always the full set: an episode that ended in an error, without a patch or with one that does not apply is not resolved.

      Read: baseline and full (seeds 1–2); 4 instances, 16 episodes, 1 of them without a verdict.

      **Gains against the baseline**

      | arms | seed 1 | seed 2 | mean | 95 % interval | points | p | where all have a verdict |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | full against baseline | +2 | +1 | +1.5 | 0.0 to +3.0 | +37.5 | .125 | +1.0 (0.0 to +3.0), 3 instances |

      In instances. Interval and p: bootstrap by instance of the difference of the means over an instance's runs, two-sided.

      Where all have a verdict: the same over the instances of which the grader judged every episode of both arms.

      Read: baseline and full (seeds 1–2); 4 instances, 16 episodes, 1 of them without a verdict.

      **McNemar's test, run by run**

      | arms | seed | both | won | lost | neither | exact p | corrected χ² | corrected p | uncorrected χ² | uncorrected p |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | full against baseline | 1 | 1 | 2 | 0 | 1 | .500 | 0.50 | .480 | 2.00 | .157 |
      | full against baseline | 2 | 2 | 1 | 0 | 1 | 1.00 | 0.00 | 1.00 | 1.00 | .317 |

      Won: only the treatment resolved it; lost: only the baseline. The exact p is the one to report. Runs are not pooled: three runs of an instance are not three independent pairs.

      Read: baseline and full (seeds 1–2); 4 instances, 16 episodes, 1 of them without a verdict.

      **pass@k: at least one of k runs resolves the instance**

      | arm | pass@1 | pass@2 |
      | --- | ---: | ---: |
      | baseline | 37.5 % (0.0 % to 75.0 %) | 50.0 % (0.0 % to 100.0 %) |
      | full | 75.0 % (50.0 % to 100.0 %) | 100.0 % (100.0 % to 100.0 %) |

      Unbiased over all choices of k from an instance's runs (arXiv:2107.03374), then the mean over instances, bootstrapped by instance.

      Read: baseline and full (seeds 1–2); 4 instances, 16 episodes, 1 of them without a verdict.

      ## Instances won and lost

      **Instances won and lost, full against baseline**

      | instance | flip | baseline | full |
      | --- | --- | ---: | ---: |
      | i002 | won | 0 of 2 | 2 of 2 |
      | i004 | won | 0 of 2 | 1 of 2 |

      2 instances won and 0 lost: resolved in more runs, or in fewer. Two arms that are the same also flip some.

      Read: baseline and full (seeds 1–2); 4 instances, 16 episodes, 1 of them without a verdict.

      "
    `);
    expect(text.slice(text.indexOf("## Episodes"))).toMatchInlineSnapshot(`
      "## Episodes

      **Planned episodes, and what is known of them**

      | arm | planned | resolved | not resolved | not graded | given up | missing |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: |
      | baseline | 8 | 3 | 4 | 0 | 0 | 1 |
      | full | 8 | 6 | 2 | 0 | 0 | 0 |

      Not graded: it has ended, but the grader came to no verdict or has not been asked. Given up: the infrastructure failed too often. Missing: it has not ended. These three count as not resolved in every table of results.

      Read: baseline and full (seeds 1–2); 4 instances, 16 episodes, 1 of them without a verdict.

      **How episodes ended**

      | arm | submitted |
      | --- | ---: |
      | baseline | 7 |
      | full | 8 |

      Read: baseline and full (seeds 1–2); 4 instances, 16 episodes, 1 of them without a verdict.

      **Failures that are not the model's**

      | arm | given up | failed attempts | taken up again | environment built anew |
      | --- | ---: | ---: | ---: | ---: |
      | baseline | 0 | 0 | 0 | 0 |
      | full | 0 | 0 | 0 | 0 |

      An attempt that the infrastructure failed is made again; only an episode that was given up is lost to the results.

      Read: baseline and full (seeds 1–2); 4 instances, 16 episodes, 1 of them without a verdict.

      **Episodes that looked at the future of their base, or fetched upstream code**

      | arm | episodes | of them resolved |
      | --- | ---: | ---: |
      | baseline | 0 | 0 |
      | full | 0 | 0 |

      From the texts of commands: what a command tried counts as what it did. They count like all others in the tables of results; a resolved one may have been looked up.

      Read: baseline and full (seeds 1–2); 4 instances, 16 episodes, 1 of them without a verdict.

      ## How many more

      **What a given effect takes, full against baseline**

      | true effect | power with 4 × 2 | instances, 1 seed | instances, 3 seeds | instances, 5 seeds | seeds, 4 instances |
      | --- | ---: | ---: | ---: | ---: | ---: |
      | +1 points | 3 % | 32,704 | 13,082 | 9,158 | – |
      | +2 points | 3 % | 8,176 | 3,271 | 2,290 | – |
      | +3 points | 3 % | 3,634 | 1,454 | 1,018 | – |
      | +5 points | 4 % | 1,309 | 524 | 367 | – |
      | +10 points | 6 % | 328 | 131 | 92 | – |

      For a power of 80 % at p < .05, two-sided; approximations, for dozens of instances at least. This experiment measured +37.5 points with a standard error of 20.73; it finds 58.1 points in 80 % of repetitions, and an effect as large as the measured one in 44 %. Power of a measured effect says nothing that its p does not.

      Variance of one instance's difference: 0.0417 between instances, 0.3750 between runs. A dash under seeds: no number of seeds is enough.

      McNemar's exact test on one run of each arm, with 37.5 % of instances won and 0.0 % lost, has a power of 0 % on 4 instances; 80 % take about 19.

      Read: baseline and full (seeds 1–2); 4 instances, 16 episodes, 1 of them without a verdict.

      ## What was read

      **Where these numbers come from**

      | what | is |
      | --- | --- |
      | experiment | demo |
      | what for | A small experiment. |
      | folder | results/demo |
      | pmcoder | 0.1.0, Node v20.19.0, linux x64 |
      | ran | 2026-03-01 10:00 UTC to 2026-03-01 12:30 UTC |
      | dataset | rows.jsonl, SHA-256 0000000000000000000000000000000000000000000000000000000000000000 |
      | instances | 4 of the dataset's 500 |
      | model | replay:tests |
      | environment | local |
      | machines | here |
      | grading | pmcoder 0.1.0, rules of v5, at most 1,800 s an instance |
      | gold patches | not graded |
      | results | 15 lines, SHA-256 ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff |
      | bootstrap | 10,000 resamples, seed 1 |

      Read: baseline and full (seeds 1–2); 4 instances, 16 episodes, 1 of them without a verdict.
      "
    `);
  });
});
