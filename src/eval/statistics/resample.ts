import { PmcoderError } from "../../domain/errors.ts";
import { randomDraws } from "./draws.ts";

export interface BootstrapOptions {
  readonly resamples: number;
  readonly seed: number;
}

/** As many resamples as in arXiv:2608.06811; the seed is our choice, so that reports can be made again. */
export const bootstrapDefaults: BootstrapOptions = { resamples: 10_000, seed: 1 };

export interface Resampled {
  /** For each column its sum in every resample; all columns share the draws. */
  readonly sums: readonly Float64Array[];
  readonly exhaustive: boolean;
  /** Sums that differ by less are equal but for rounding. */
  readonly rounding: number;
}

/**
 * Sums of the places that were drawn with replacement, one place an instance, as many as there are.
 * Throws PmcoderError `usage` when columns differ in length or hold what is no finite number, and
 * unless the resamples are a whole number from 1.
 */
export function resampledSums(
  values: readonly (readonly number[])[],
  { resamples, seed }: BootstrapOptions,
): Resampled {
  check(values, resamples);
  const columns = values.map((column) => Float64Array.from(column));
  const n = columns[0]?.length ?? 0;
  const exhaustive = n ** n <= resamples;
  const times = exhaustive ? n ** n : resamples;
  const sums = columns.map(() => new Float64Array(times));
  const draw = exhaustive ? everyDraw : randomDraws(n, { resamples, seed });
  const drawn = new Uint32Array(n);
  for (let time = 0; time < times; time++) {
    draw(drawn, time);
    for (const [at, column] of columns.entries()) {
      const into = sums[at];
      if (into) into[time] = sumOfDrawn(column, drawn);
    }
  }
  const largest = values.flat().reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { sums, exhaustive, rounding: 1e-9 * largest };
}

function sumOfDrawn(column: Float64Array, drawn: Uint32Array): number {
  let total = 0;
  // By place: an iterator would take three times as long.
  for (let place = 0; place < drawn.length; place++) total += column[drawn[place] ?? 0] ?? 0;
  return total;
}

/** The places of draw number `time` among all nⁿ: the digits of the number in base n. */
function everyDraw(drawn: Uint32Array, time: number): void {
  let rest = time;
  for (let place = 0; place < drawn.length; place++) {
    drawn[place] = rest % drawn.length;
    rest = Math.floor(rest / drawn.length);
  }
}

function check(columns: readonly (readonly number[])[], resamples: number): void {
  const lengths = new Set(columns.map(({ length }) => length));
  if (lengths.size > 1) {
    throw new PmcoderError(
      "usage",
      `A paired bootstrap takes a value of each side for each instance, but the sides have ${[...lengths].join(" and ")} values.`,
    );
  }
  const odd = columns.flat().find((value) => !Number.isFinite(value));
  if (odd !== undefined) {
    throw new PmcoderError(
      "usage",
      `A bootstrap takes finite numbers, but one of its values is ${odd}: give null for what is not known.`,
    );
  }
  if (!(Number.isInteger(resamples) && resamples > 0)) {
    throw new PmcoderError(
      "usage",
      `A bootstrap takes a whole number of resamples from 1, not ${resamples}: 10,000 is usual.`,
    );
  }
}
