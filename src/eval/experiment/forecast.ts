import type { Price } from "../../domain/model.ts";
import type { EpisodeJob } from "./expand.ts";

/** Tokens that an episode sends and gets, over all its calls. */
interface EpisodeTokens {
  /** Of all prompts together, those that earlier calls sent already. */
  readonly resent: number;
  /** Of all prompts together, those that no earlier call had. */
  readonly fresh: number;
  readonly output: number;
}

/**
 * What an episode of the loop alone takes. Our own measurement: 140 public runs of mini-swe-agent
 * 1.15 with Gemini 3 Pro on SWE-bench Verified, 41.3 calls on average. `expected` is the mean, the
 * other two are the quartiles of each figure. Another model takes other numbers of calls.
 */
const loopTokens = {
  low: { resent: 314_082, fresh: 17_452, output: 7_066 },
  expected: { resent: 680_855, fresh: 26_045, output: 11_501 },
  high: { resent: 762_248, fresh: 31_045, output: 14_215 },
} as const satisfies Readonly<Record<string, EpisodeTokens>>;
type Level = keyof typeof loopTokens;

/** Share of the resent tokens that the provider's cache answered in those runs. */
const cacheHits = 0.875;

/**
 * What plan and memory add. Blocks: 11.4 of 2,656 tokens in all, each sent again with every later
 * call, replayed on the same runs. Calls: 51.9 steps instead of 47.3 (arXiv:2608.06811, Table V);
 * what is resent grows with their square.
 */
const blocks = { resent: 73_168, fresh: 2_656 };
const moreCalls = 51.9 / 47.3;

/** An arm as far as it decides what its episodes cost. */
export interface ForecastArm {
  readonly name: string;
  /** US dollars per million tokens; null: unknown. */
  readonly price: Price | null;
  /** Plan or memory are on and shown to the model. */
  readonly isAdvised: boolean;
}

interface CostRange {
  readonly low: number;
  readonly expected: number;
  readonly high: number;
}

interface ForecastRow {
  readonly arm: string;
  readonly episodes: number;
  /** US dollars of one episode; null: the price is unknown. */
  readonly perEpisode: CostRange | null;
  readonly total: CostRange | null;
}

export interface Forecast {
  readonly rows: readonly ForecastRow[];
  /** null when the price of an arm is unknown. */
  readonly total: CostRange | null;
  /** US dollars that cannot be passed: what the caps leave, the experiment's or those of all runs. */
  readonly atMost: number;
}

/** Whether none of it costs money. */
export const isFree = ({ total }: Forecast): boolean => total !== null && total.high === 0;

/**
 * What the jobs are expected to cost, in US dollars. `low` and `high` stand for cheap and dear
 * episodes throughout; no figure passes the cap of a run. The real bound is `atMost`.
 */
export function forecastOf(
  jobs: readonly EpisodeJob[],
  arms: readonly ForecastArm[],
  caps: { readonly perRunUsd: number; readonly totalUsd: number },
): Forecast {
  const rows = arms.map((arm): ForecastRow => {
    const episodes = jobs.filter((job) => job.arm === arm.name).length;
    const perEpisode = arm.price === null ? null : costOfEpisode(arm, arm.price, caps.perRunUsd);
    return {
      arm: arm.name,
      episodes,
      perEpisode,
      total: perEpisode && times(perEpisode, episodes),
    };
  });
  const totals = rows.flatMap(({ total }) => total ?? []);
  return {
    rows,
    total:
      totals.length < rows.length ? null : totals.reduce(plus, { low: 0, expected: 0, high: 0 }),
    atMost: Math.min(jobs.length * caps.perRunUsd, caps.totalUsd),
  };
}

function costOfEpisode(arm: ForecastArm, price: Price, cap: number): CostRange {
  const at = (level: Level) => Math.min(costAt(tokensOf(level, arm.isAdvised), price), cap);
  return { low: at("low"), expected: at("expected"), high: at("high") };
}

function tokensOf(level: Level, isAdvised: boolean): EpisodeTokens {
  const { resent, fresh, output } = loopTokens[level];
  if (!isAdvised) return { resent, fresh, output };
  return {
    resent: resent * moreCalls ** 2 + blocks.resent,
    fresh: fresh * moreCalls + blocks.fresh,
    output: output * moreCalls,
  };
}

/** Fresh tokens are written to the cache, resent ones read from it or, where it misses, paid in full. */
function costAt({ resent, fresh, output }: EpisodeTokens, price: Price): number {
  const read = resent * (cacheHits * price.cached + (1 - cacheHits) * price.input);
  return (read + fresh * price.cacheWritten + output * price.output) / 1e6;
}

function times({ low, expected, high }: CostRange, factor: number): CostRange {
  return { low: low * factor, expected: expected * factor, high: high * factor };
}

function plus(one: CostRange, other: CostRange): CostRange {
  return {
    low: one.low + other.low,
    expected: one.expected + other.expected,
    high: one.high + other.high,
  };
}
