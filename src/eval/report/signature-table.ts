import type { Signature } from "../signature.ts";
import type { Comparison } from "../statistics/contrast.ts";
import type { Pair } from "../statistics/outcome.ts";
import type { BootstrapOptions } from "../statistics/resample.ts";
import { compareSignatures } from "../statistics/signature-comparison.ts";
import { armsIn, manyTestsNote } from "./contrast-tables.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import type { Episode } from "./episode.ts";
import { type Ledger, readsOf } from "./ledger.ts";
import { bootstrapProbability, fixed, maybe, none, percent, range, signed } from "./numerals.ts";
import { pairName } from "./pairs.ts";

/** How the episodes of two arms differ; null: no instance has a value in both. */
export interface SignatureNumbers {
  readonly pair: Pair;
  readonly signatures: Readonly<Record<keyof Signature, Comparison | null>>;
}

export function signatureNumbers(
  episodes: readonly Episode[],
  pair: Pair,
  options: BootstrapOptions,
): SignatureNumbers {
  return { pair, signatures: compareSignatures(episodes, pair, options) };
}

interface Row {
  readonly name: string;
  readonly say: (value: number) => string;
  readonly change: (value: number) => string;
}

const points = (value: number) => signed(100 * value);
const rows: Readonly<Record<keyof Signature, Row>> = {
  failedRecurrence: {
    name: "failed action repeated, of steps",
    say: (value) => percent(value, 2),
    change: (value) => signed(100 * value, 2),
  },
  gaveUp: { name: "gave up without a change of code", say: percent, change: points },
  contextExhausted: { name: "context exhausted", say: percent, change: points },
  recoveries: {
    name: "reverted, then fixed again, per episode",
    say: (value) => fixed(value, 2),
    change: (value) => signed(value, 2),
  },
  turns: { name: "episode length, steps", say: (value) => fixed(value, 1), change: signed },
};

/** What episodes look like from outside (as arXiv:2608.06811, Table V). */
export function signatureTable(pairs: readonly SignatureNumbers[], ledger: Ledger): Table {
  const lines = pairs.flatMap(({ pair, signatures }) =>
    Object.entries(rows).map(([key, row]) => ({
      pair,
      row,
      found: signatures[key as keyof Signature],
    })),
  );
  return {
    id: "signatures",
    caption: "What episodes look like from outside",
    columns: [
      textColumn("signature"),
      textColumn("arms"),
      ...[
        "baseline",
        "treatment",
        "difference",
        "95 % interval",
        "ratio",
        "95 % of the ratio",
        "p",
      ].map(numberColumn),
    ],
    rows: lines.map(({ pair, row, found }) => [row.name, pairName(pair), ...cellsOf(row, found)]),
    notes: [
      "Mean over an instance's runs, compared in pairs of instances, bootstrapped by instance. Shares differ in points. Episodes that the infrastructure ended have no signature and are left out.",
      ...manyTestsNote(lines.length),
    ],
    reads: readsOf(ledger, armsIn(pairs)),
  };
}

function cellsOf({ say, change }: Row, found: Comparison | null): readonly string[] {
  if (found === null) return Array.from({ length: 7 }, () => none);
  const { baseline, treatment, difference, ratio } = found;
  return [
    say(baseline),
    say(treatment),
    change(difference.value),
    range(difference.interval, change),
    maybe(ratio.value, times),
    ratio.interval === null ? none : range(ratio.interval, times),
    bootstrapProbability(difference),
  ];
}

const times = (value: number) => `${fixed(value, 2)}×`;
