import { meanOfValues } from "../statistics/moments.ts";
import { type Pair, resolvedMeasure } from "../statistics/outcome.ts";
import {
  bootstrapPower,
  detectableEffect,
  instancesNeeded,
  mcnemarInstances,
  mcnemarPower,
  seedsNeeded,
  standardErrorOf,
  type VarianceComponents,
} from "../statistics/power.ts";
import { varianceComponents } from "../statistics/variance-components.ts";
import { armsIn, type ContrastNumbers } from "./contrast-tables.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import type { Episode } from "./episode.ts";
import { type Ledger, readsOf } from "./ledger.ts";
import { fixed, maybe, percent, signed } from "./numerals.ts";
import { pairName } from "./pairs.ts";

/** Effects to plan for, as shares of instances, and numbers of seeds. Our choice. */
const effects = [0.01, 0.02, 0.03, 0.05, 0.1] as const;
const seedCounts = [1, 3, 5] as const;

/** What this experiment could find, and what the next one needs. */
export interface PowerNumbers {
  readonly pair: Pair;
  readonly instances: number;
  readonly seeds: number;
  /** The observed difference, a share. */
  readonly observed: number;
  readonly standardError: number;
  /** The chance to find an effect as large as the observed one, at 5 %. */
  readonly power: number;
  /** The smallest share that is found with a chance of 80 %. */
  readonly detectable: number;
  /** null: one run of each arm cannot tell instances from runs. */
  readonly components: VarianceComponents | null;
  readonly effects: readonly {
    readonly effect: number;
    /** By number of seeds, as `seedCounts`; null: not known. */
    readonly instances: readonly (number | null)[];
    /** Seeds with these instances; null: not known, or no number is enough. */
    readonly seeds: number | null;
    /** The chance to find it with these instances and seeds. */
    readonly power: number;
  }[];
  /** Of McNemar's test on one run of each arm, from the mean shares won and lost. */
  readonly mcnemar: {
    readonly won: number;
    readonly lost: number;
    /** Of the exact test. */
    readonly power: number;
    /** An approximation. null: there is no effect. */
    readonly instances: number | null;
  } | null;
}

/** null: nothing differs between any two runs, or nothing can be compared. */
export function powerNumbers(
  episodes: readonly Episode[],
  { pair, difference, runs }: ContrastNumbers,
): PowerNumbers | null {
  if (difference === null || difference.standardError === 0) return null;
  const { n: instances, value: observed, standardError } = difference;
  const seeds = runs.length;
  const components = varianceComponents(episodes, pair, resolvedMeasure);
  return {
    pair,
    instances,
    seeds,
    observed,
    standardError,
    power: bootstrapPower(observed, standardError),
    detectable: detectableEffect(standardError),
    components,
    effects: effects.map((effect) => ({
      effect,
      instances: seedCounts.map(
        (count) => components && instancesNeeded(components, { effect, seeds: count }),
      ),
      seeds: components && seedsNeeded(components, { effect, instances }),
      power: bootstrapPower(
        effect,
        components ? standardErrorOf(components, { instances, seeds }) : standardError,
      ),
    })),
    mcnemar: mcnemarNumbers(runs, instances),
  };
}

function mcnemarNumbers(runs: ContrastNumbers["runs"], instances: number): PowerNumbers["mcnemar"] {
  if (runs.length === 0) return null;
  const shares = {
    won: meanOfValues(runs.map(({ won, n }) => won.length / n)),
    lost: meanOfValues(runs.map(({ lost, n }) => lost.length / n)),
  };
  return {
    ...shares,
    power: mcnemarPower(shares, instances),
    instances: mcnemarInstances(shares),
  };
}

export function powerTable(numbers: PowerNumbers, ledger: Ledger): Table {
  const { pair, instances, seeds } = numbers;
  return {
    id: "power",
    caption: `What a given effect takes, ${pairName(pair)}`,
    columns: [
      textColumn("true effect"),
      numberColumn(`power with ${fixed(instances)} × ${seeds}`),
      ...seedCounts.map((count) =>
        numberColumn(`instances, ${count} ${count === 1 ? "seed" : "seeds"}`),
      ),
      numberColumn(`seeds, ${fixed(instances)} instances`),
    ],
    rows: numbers.effects.map(({ effect, power, instances: needed, seeds: runs }) => [
      `${signed(100 * effect, 0)} points`,
      percent(power, 0),
      ...needed.map((count) => maybe(count, fixed)),
      maybe(runs, fixed),
    ]),
    notes: [observedNote(numbers), componentsNote(numbers), ...mcnemarNote(numbers)],
    reads: readsOf(ledger, armsIn([{ pair }])),
  };
}

function observedNote({ observed, standardError, power, detectable }: PowerNumbers): string {
  return `For a power of 80 % at p < .05, two-sided; approximations, for dozens of instances at least. This experiment measured ${signed(100 * observed)} points with a standard error of ${fixed(100 * standardError, 2)}; it finds ${fixed(100 * detectable, 1)} points in 80 % of repetitions, and an effect as large as the measured one in ${percent(power, 0)}. Power of a measured effect says nothing that its p does not.`;
}

function componentsNote({ components }: PowerNumbers): string {
  if (components === null) {
    return "With one run of each arm, what instances vary by and what runs vary by cannot be told apart, so needs are not known.";
  }
  const { between, within } = components;
  return `Variance of one instance's difference: ${fixed(between, 4)} between instances, ${fixed(within, 4)} between runs. A dash under seeds: no number of seeds is enough.`;
}

function mcnemarNote({ mcnemar, instances }: PowerNumbers): readonly string[] {
  if (mcnemar === null) return [];
  const { won, lost, power, instances: needed } = mcnemar;
  const need = needed === null ? "" : `; 80 % take about ${fixed(needed)}`;
  return [
    `McNemar's exact test on one run of each arm, with ${percent(won)} of instances won and ${percent(lost)} lost, has a power of ${percent(power, 0)} on ${fixed(instances)} instances${need}.`,
  ];
}
