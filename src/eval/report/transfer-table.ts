import { compare } from "../statistics/contrast.ts";
import { resolvedMeasure } from "../statistics/outcome.ts";
import type { Material } from "./analysis.ts";
import { type ContrastNumbers, contrastNumbers, manyTestsNote } from "./contrast-tables.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import { listed, readsOf } from "./ledger.ts";
import {
  bootstrapProbability,
  fixed,
  maybe,
  none,
  percent,
  probability,
  range,
  signed,
} from "./numerals.ts";
import { modelsOf } from "./provenance.ts";

/** The headline comparison of one experiment, as a row among those of others. */
export interface TransferNumbers extends ContrastNumbers {
  readonly experiment: string;
  readonly models: readonly string[];
  /** Mean shares of resolved runs. */
  readonly baseline: number | null;
  readonly treatment: number | null;
  readonly reads: string;
}

/** null: the experiment has a single arm. */
export function transferNumbers(material: Material): TransferNumbers | null {
  const { source, episodes, ledger, pairs, bootstrap } = material;
  const pair = pairs.headline;
  if (pair === null) return null;
  const found = compare(episodes, pair, resolvedMeasure, bootstrap);
  return {
    ...contrastNumbers(episodes, pair, bootstrap),
    experiment: source.experiment.name,
    models: modelsOf(source),
    baseline: found?.baseline ?? null,
    treatment: found?.treatment ?? null,
    reads: `${source.folder}: ${readsOf(ledger, [pair.baseline, pair.treatment])}`,
  };
}

/** The same comparison in several experiments, a row each (as arXiv:2608.06811, Tables VI and VII). */
export function transferTable(
  rows: readonly TransferNumbers[],
  about: Pick<Table, "id" | "caption">,
): Table {
  return {
    ...about,
    columns: [
      ...["experiment", "model"].map(textColumn),
      ...["instances", "baseline", "treatment", "gain", "95 % interval", "points", "p"].map(
        numberColumn,
      ),
      numberColumn("McNemar's exact p by run"),
    ],
    rows: rows.map(({ experiment, models, baseline, treatment, difference, total, runs }) => [
      experiment,
      listed(models),
      maybe(total?.n, fixed),
      ...[baseline, treatment].map((share) => resolvedText(share, total?.n ?? 0)),
      total ? signed(total.value) : none,
      total ? range(total.interval, signed) : none,
      difference ? signed(100 * difference.value) : none,
      difference ? bootstrapProbability(difference) : none,
      runs.map(({ test }) => probability(test.exact)).join(", "),
    ]),
    notes: [
      "Baseline and treatment: resolved instances, mean over the runs. Interval and p: bootstrap by instance.",
      ...manyTestsNote(rows.length),
    ],
    reads: rows.map(({ reads }) => reads).join(" "),
  };
}

const resolvedText = (share: number | null, n: number) =>
  maybe(share, (value) => `${fixed(value * n, 1)} (${percent(value)})`);
