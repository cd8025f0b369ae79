import type { EpisodeResult } from "../batch/episode-result.ts";
import { meanOf, plainMean } from "../statistics/arm.ts";
import type { Estimate } from "../statistics/bootstrap.ts";
import { type Comparison, compare } from "../statistics/contrast.ts";
import { armsOf, type Measure, type Pair } from "../statistics/outcome.ts";
import type { BootstrapOptions } from "../statistics/resample.ts";
import { armsIn, manyTestsNote } from "./contrast-tables.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import type { Episode } from "./episode.ts";
import { type Ledger, readsOf } from "./ledger.ts";
import { bootstrapProbability, dollars, fixed, maybe, none, plural, range } from "./numerals.ts";
import { pairName } from "./pairs.ts";

interface Effort {
  readonly name: string;
  readonly of: (result: EpisodeResult) => number | null | undefined;
  readonly say: (value: number) => string;
}

const efforts = {
  cost: { name: "cost", of: ({ cost }) => cost, say: dollars },
  turns: { name: "steps", of: ({ calls }) => calls?.act, say: (value) => fixed(value, 1) },
  otherCalls: {
    name: "other calls",
    of: ({ calls }) => calls?.other,
    say: (value) => fixed(value, 1),
  },
  input: { name: "tokens in", of: ({ tokens }) => tokens?.input, say: fixed },
  cached: { name: "of them cached", of: ({ tokens }) => tokens?.cached, say: fixed },
  output: { name: "tokens out", of: ({ tokens }) => tokens?.output, say: fixed },
  injected: { name: "tokens injected", of: ({ injected }) => injected?.tokens, say: fixed },
  seconds: { name: "seconds", of: ({ seconds }) => seconds, say: fixed },
} as const satisfies Readonly<Record<string, Effort>>;
type EffortName = keyof typeof efforts;
const names = Object.keys(efforts) as readonly EffortName[];

/** Episodes without a result, or that were given up, say nothing of what one takes. */
function measureOf(name: EffortName): Measure<Episode> {
  const { of } = efforts[name];
  return ({ result }) => (result === null || result.givenUp ? null : (of(result) ?? null));
}

/** What an arm's episodes take. */
export interface EffortNumbers {
  readonly arm: string;
  /** Mean over an instance's runs, then over instances; null: not known of any. */
  readonly means: Readonly<Record<EffortName, number | null>>;
  /** The mean cost with its interval. */
  readonly cost: Estimate | null;
  /** US dollars of all attempts, as far as prices are known. */
  readonly spent: number;
  /** US dollars spent for each resolved episode; null: none. */
  readonly spentPerResolved: number | null;
  /** Episodes whose cost is not known. */
  readonly unpriced: number;
}

export function effortNumbers(
  episodes: readonly Episode[],
  options: BootstrapOptions,
): readonly EffortNumbers[] {
  return armsOf(episodes).map((arm) => {
    const own = episodes.filter((episode) => episode.arm === arm);
    const results = own.flatMap(({ result }) => result ?? []);
    const spent = results.reduce((sum, result) => sum + result.spent, 0);
    const resolved = own.filter((episode) => episode.resolved).length;
    return {
      arm,
      means: eachEffort((name) => plainMean(own, arm, measureOf(name))),
      cost: meanOf(own, arm, measureOf("cost"), options),
      spent,
      spentPerResolved: resolved === 0 ? null : spent / resolved,
      unpriced: results.filter(({ cost }) => cost === null).length,
    };
  });
}

function eachEffort<Value>(of: (name: EffortName) => Value): Readonly<Record<EffortName, Value>> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<EffortName, Value>;
}

export function effortTable(arms: readonly EffortNumbers[], ledger: Ledger): Table {
  return {
    id: "effort",
    caption: "What an episode takes, on average",
    columns: [
      textColumn("arm"),
      ...names.map((name) => numberColumn(efforts[name].name)),
      ...["spent in all", "spent per resolved"].map(numberColumn),
    ],
    rows: arms.map(({ arm, means, spent, spentPerResolved }) => [
      arm,
      ...names.map((name) => maybe(means[name], (value) => efforts[name].say(value))),
      dollars(spent),
      maybe(spentPerResolved, dollars),
    ]),
    notes: [
      "Means over an instance's runs, then over instances, of episodes that have ended. Spent: all attempts, those that the infrastructure failed included.",
      ...unpricedNote(arms),
    ],
    reads: readsOf(ledger),
  };
}

function unpricedNote(arms: readonly EffortNumbers[]): readonly string[] {
  const unpriced = arms.reduce((sum, arm) => sum + arm.unpriced, 0);
  if (unpriced === 0) return [];
  return [`The cost of ${plural(unpriced, "episode")} is not known and left out of costs.`];
}

/** What a treatment changes of the effort. */
export interface EffortChange {
  readonly pair: Pair;
  readonly changes: Readonly<Record<EffortName, Comparison | null>>;
}

export function effortChange(
  episodes: readonly Episode[],
  pair: Pair,
  options: BootstrapOptions,
): EffortChange {
  return { pair, changes: eachEffort((name) => compare(episodes, pair, measureOf(name), options)) };
}

export function effortChangeTable({ pair, changes }: EffortChange, ledger: Ledger): Table {
  const lines = names.flatMap((name) => {
    const found = changes[name];
    return found === null ? [] : [{ ...efforts[name], found }];
  });
  return {
    id: "effort-change",
    caption: `What an episode takes, ${pairName(pair)}`,
    columns: [
      textColumn("measure"),
      ...["baseline", "treatment", "difference", "95 % interval", "ratio", "p"].map(numberColumn),
    ],
    rows: lines.map(({ name, say, found: { baseline, treatment, difference, ratio } }) => [
      name,
      say(baseline),
      say(treatment),
      withSign(difference.value, say),
      range(difference.interval, (value) => withSign(value, say)),
      ratio.value === null ? none : `${fixed(ratio.value, 2)}×`,
      bootstrapProbability(difference),
    ]),
    notes: ["Bootstrap by instance, in pairs.", ...manyTestsNote(lines.length)],
    reads: readsOf(ledger, armsIn([{ pair }])),
  };
}

const withSign = (value: number, say: (value: number) => string) =>
  value > 0 ? `+${say(value)}` : say(value);
