import type { Difference } from "../statistics/bootstrap.ts";
import { compare } from "../statistics/contrast.ts";
import { type Pair, resolvedMeasure } from "../statistics/outcome.ts";
import type { BootstrapOptions } from "../statistics/resample.ts";
import { byArming, byDifficulty, type Stratum } from "../statistics/strata.ts";
import { armsIn, manyTestsNote } from "./contrast-tables.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import type { Episode } from "./episode.ts";
import { type Ledger, readsOf } from "./ledger.ts";
import { bootstrapProbability, fixed, percent, range, signed } from "./numerals.ts";
import { pairName } from "./pairs.ts";

/** What two arms resolve of some of the instances. */
interface StratumNumbers {
  readonly name: string;
  readonly instances: number;
  /** Mean shares of resolved runs. */
  readonly baseline: number;
  readonly treatment: number;
  readonly difference: Difference;
}

export interface StrataNumbers {
  readonly pair: Pair;
  readonly difficulty: readonly StratumNumbers[];
  readonly arming: readonly StratumNumbers[];
}

/** Strata of an instance are the same for all arms, so they are made before two arms are taken out. */
export function strataNumbers(
  episodes: readonly Episode[],
  pair: Pair,
  options: BootstrapOptions,
): StrataNumbers {
  const of = (strata: readonly Stratum<Episode>[]) =>
    strata.flatMap(({ name, rows }): readonly StratumNumbers[] => {
      const found = compare(rows, pair, resolvedMeasure, options);
      if (found === null) return [];
      const { baseline, treatment, difference } = found;
      return [{ name, instances: difference.n, baseline, treatment, difference }];
    });
  return { pair, difficulty: of(byDifficulty(episodes)), arming: of(byArming(episodes)) };
}

/** By the time that a fix takes people (as arXiv:2608.06811, Table IV, which shows one run). */
export function difficultyTable(strata: readonly StrataNumbers[], ledger: Ledger): Table {
  return strataTable(
    strata.map(({ pair, difficulty }) => ({ pair, parts: difficulty })),
    ledger,
    { id: "difficulty", caption: "Resolved instances by difficulty", first: "difficulty" },
    "Difficulty: how long people need for the fix, as the dataset says it.",
  );
}

/** With a reproduction script and without. */
export function armingTable(strata: readonly StrataNumbers[], ledger: Ledger): Table {
  return strataTable(
    strata.map(({ pair, arming }) => ({ pair, parts: arming })),
    ledger,
    {
      id: "arming",
      caption: "Resolved instances with a reproduction script and without",
      first: "instances are",
    },
    "Armed: some arm had a reproduction script for the instance; arms without grounding never use it.",
  );
}

function strataTable(
  strata: readonly { readonly pair: Pair; readonly parts: readonly StratumNumbers[] }[],
  ledger: Ledger,
  about: Pick<Table, "id" | "caption"> & { readonly first: string },
  note: string,
): Table {
  const lines = strata.flatMap(({ pair, parts }) => parts.map((part) => ({ pair, ...part })));
  const { id, caption, first } = about;
  return {
    id,
    caption,
    columns: [
      textColumn(first),
      textColumn("arms"),
      ...[
        "instances",
        "baseline",
        "baseline share",
        "treatment",
        "treatment share",
        "gain",
        "95 % interval",
        "points",
        "p",
      ].map(numberColumn),
    ],
    rows: lines.map(({ name, pair, instances: n, baseline, treatment, difference }) => [
      name,
      pairName(pair),
      fixed(n),
      fixed(n * baseline, 1),
      percent(baseline),
      fixed(n * treatment, 1),
      percent(treatment),
      signed(n * difference.value),
      range(difference.interval, (value) => signed(n * value)),
      signed(100 * difference.value),
      bootstrapProbability(difference),
    ]),
    notes: [
      `${note} Baseline and treatment: resolved instances, mean over the runs.`,
      ...manyTestsNote(lines.length),
    ],
    reads: readsOf(ledger, armsIn(strata)),
  };
}
