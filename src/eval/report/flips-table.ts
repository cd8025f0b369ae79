import type { Pair } from "../statistics/outcome.ts";
import { type Flips, flips } from "../statistics/paired-runs.ts";
import { armsIn } from "./contrast-tables.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import type { Episode } from "./episode.ts";
import { type Ledger, readsOf } from "./ledger.ts";
import { plural } from "./numerals.ts";
import { pairName } from "./pairs.ts";

export interface FlipNumbers extends Flips {
  readonly pair: Pair;
}

export function flipNumbers(episodes: readonly Episode[], pair: Pair): FlipNumbers {
  return { pair, ...flips(episodes, pair) };
}

/** The instances that two arms resolve in different numbers of runs, the clearest first. */
export function flipsTable({ pair, won, lost }: FlipNumbers, ledger: Ledger): Table {
  const line = (kind: string) => (flip: Flips["won"][number]) => [
    flip.instance,
    kind,
    `${flip.baseline.k} of ${flip.baseline.n}`,
    `${flip.treatment.k} of ${flip.treatment.n}`,
  ];
  return {
    id: "flips",
    caption: `Instances won and lost, ${pairName(pair)}`,
    columns: [
      textColumn("instance"),
      textColumn("flip"),
      numberColumn(pair.baseline),
      numberColumn(pair.treatment),
    ],
    rows: [...won.map(line("won")), ...lost.map(line("lost"))],
    notes: [
      `${plural(won.length, "instance")} won and ${lost.length} lost: resolved in more runs, or in fewer. Two arms that are the same also flip some.`,
    ],
    reads: readsOf(ledger, armsIn([{ pair }])),
  };
}
