import { type Difference, summed } from "../statistics/bootstrap.ts";
import { compare } from "../statistics/contrast.ts";
import { type Pair, resolvedMeasure } from "../statistics/outcome.ts";
import { type PairedRun, pairedRuns } from "../statistics/paired-runs.ts";
import type { BootstrapOptions } from "../statistics/resample.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import { type Episode, isJudged } from "./episode.ts";
import { type Ledger, readsOf } from "./ledger.ts";
import {
  bootstrapProbability,
  fixed,
  none,
  percent,
  plural,
  probability,
  range,
  signed,
  withInterval,
} from "./numerals.ts";
import { pairName } from "./pairs.ts";

/** What a pair of arms differs by. */
export interface ContrastNumbers {
  readonly pair: Pair;
  /** Mean share of resolved runs: treatment less baseline. */
  readonly difference: Difference | null;
  /** The same in instances. */
  readonly total: Difference | null;
  /** One McNemar test for each seed that both have. */
  readonly runs: readonly PairedRun[];
  /** Over the instances of which every episode has a verdict; null: those are all. */
  readonly judged: { readonly instances: number; readonly total: Difference | null } | null;
}

export function contrastNumbers(
  episodes: readonly Episode[],
  pair: Pair,
  options: BootstrapOptions,
): ContrastNumbers {
  const own = episodes.filter(({ arm }) => arm === pair.baseline || arm === pair.treatment);
  const difference = compare(own, pair, resolvedMeasure, options)?.difference ?? null;
  return {
    pair,
    difference,
    total: difference && summed(difference),
    runs: pairedRuns(own, pair),
    judged: judgedOnly(own, pair, options),
  };
}

function judgedOnly(
  episodes: readonly Episode[],
  pair: Pair,
  options: BootstrapOptions,
): ContrastNumbers["judged"] {
  const open = new Set(episodes.filter((row) => !isJudged(row)).map(({ instance }) => instance));
  if (open.size === 0) return null;
  const judged = episodes.filter(({ instance }) => !open.has(instance));
  const found = compare(judged, pair, resolvedMeasure, options)?.difference ?? null;
  return { instances: found?.n ?? 0, total: found && summed(found) };
}

/** Differences of arms with their intervals. `about`: what the table is for. */
export function contrastTable(
  contrasts: readonly ContrastNumbers[],
  ledger: Ledger,
  about: Pick<Table, "id" | "caption">,
): Table {
  const seeds = [...new Set(contrasts.flatMap(({ runs }) => runs.map(({ seed }) => seed)))];
  const isOpen = contrasts.some(({ judged }) => judged !== null);
  return {
    ...about,
    columns: [
      textColumn("arms"),
      ...seeds.map((seed) => numberColumn(`seed ${seed}`)),
      ...["mean", "95 % interval", "points", "p"].map(numberColumn),
      ...(isOpen ? [numberColumn("where all have a verdict")] : []),
    ],
    rows: contrasts.map((numbers) => [
      pairName(numbers.pair),
      ...seeds.map((seed) => gainText(numbers.runs.find((run) => run.seed === seed))),
      ...differenceCells(numbers),
      ...(isOpen ? [judgedText(numbers)] : []),
    ]),
    notes: [
      "In instances. Interval and p: bootstrap by instance of the difference of the means over an instance's runs, two-sided.",
      ...(isOpen
        ? [
            "Where all have a verdict: the same over the instances of which the grader judged every episode of both arms.",
          ]
        : []),
      ...manyTestsNote(contrasts.length),
    ],
    reads: readsOf(ledger, armsIn(contrasts)),
  };
}

const gainText = (run: PairedRun | undefined) =>
  run === undefined ? none : signed(run.won.length - run.lost.length, 0);

function differenceCells({ difference, total }: ContrastNumbers): readonly string[] {
  if (difference === null || total === null) return Array.from({ length: 4 }, () => none);
  return [
    signed(total.value),
    range(total.interval, signed),
    signed(100 * difference.value),
    bootstrapProbability(difference),
  ];
}

function judgedText({ total, judged }: ContrastNumbers): string {
  const found = judged === null ? total : judged.total;
  return found === null ? none : `${withInterval(found, signed)}, ${plural(found.n, "instance")}`;
}

/** McNemar's test of each pair and seed, in its three variants. */
export function mcnemarTable(contrasts: readonly ContrastNumbers[], ledger: Ledger): Table {
  const rows = contrasts.flatMap(({ pair, runs }) => runs.map((run) => ({ pair, ...run })));
  return {
    id: "mcnemar",
    caption: "McNemar's test, run by run",
    columns: [
      textColumn("arms"),
      ...[
        "seed",
        "both",
        "won",
        "lost",
        "neither",
        "exact p",
        "corrected χ²",
        "corrected p",
        "uncorrected χ²",
        "uncorrected p",
      ].map(numberColumn),
    ],
    rows: rows.map(({ pair, seed, both, won, lost, neither, test }) => [
      pairName(pair),
      String(seed),
      ...[both, won.length, lost.length, neither].map((n) => fixed(n)),
      probability(test.exact),
      fixed(test.corrected.statistic, 2),
      probability(test.corrected.p),
      fixed(test.uncorrected.statistic, 2),
      probability(test.uncorrected.p),
    ]),
    notes: [
      "Won: only the treatment resolved it; lost: only the baseline. The exact p is the one to report. Runs are not pooled: three runs of an instance are not three independent pairs.",
      ...manyTestsNote(rows.length),
    ],
    reads: readsOf(ledger, armsIn(contrasts)),
  };
}

export const armsIn = (contrasts: readonly { readonly pair: Pair }[]) => [
  ...new Set(contrasts.flatMap(({ pair }) => [pair.baseline, pair.treatment])),
];

/** Tests in one table from which on it is said that none is corrected. Our choice. */
const manyTests = 5;

export function manyTestsNote(tests: number): readonly string[] {
  if (tests < manyTests) return [];
  const chance = percent(1 - 0.95 ** tests, 0);
  return [
    `No p here is corrected for the number of tests. If none of ${tests} independent effects were real, at least one would have p < .05 with a chance of ${chance}.`,
  ];
}
