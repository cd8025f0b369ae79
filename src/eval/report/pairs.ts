import { PmcoderError } from "../../domain/errors.ts";
import type { Pair } from "../statistics/outcome.ts";

/** Which arms are judged against which. */
export interface Pairs {
  /** The one that tables in full detail are about; null: there is one arm. */
  readonly headline: Pair | null;
  /** Each other arm against the baseline. */
  readonly gains: readonly Pair[];
  /** The full arm's variants, each against it: what a part is worth shows as a loss. */
  readonly losses: readonly Pair[];
}

/** Arms that the user named; left out, they are found by their names. */
export type Chosen = { readonly [Side in keyof Pair]?: string | undefined };

/**
 * The comparisons of an experiment. The arms `baseline` and `full` are known by their names; without
 * a baseline everything is judged against the full arm, and without either against the first. Throws
 * PmcoderError `usage` for the name of an arm that is not there, and for one arm on both sides, also
 * where the baseline was found by its name.
 */
export function pairsOf(arms: readonly string[], chosen: Chosen = {}): Pairs {
  refuseStranger(arms, chosen);
  const known = (name: string) => arms.find((arm) => arm === name);
  const baseline = chosen.baseline ?? known("baseline");
  const full = known("full");
  const reference = baseline ?? full ?? arms[0];
  if (chosen.treatment !== undefined && chosen.treatment === reference) throw itself(reference);
  const against = (one: string): readonly Pair[] =>
    arms.filter((arm) => arm !== one).map((treatment) => ({ baseline: one, treatment }));
  const all = reference === undefined ? [] : against(reference);
  const losses =
    full === undefined ? [] : against(full).filter((pair) => pair.treatment !== baseline);
  const headline =
    all.find(({ treatment }) => treatment === (chosen.treatment ?? full)) ?? all[0] ?? null;
  return reference === full
    ? { headline, gains: [], losses: all }
    : { headline, gains: all, losses };
}

/** Those that tables of all comparisons show. */
export function shownPairs({ gains, losses }: Pairs): readonly Pair[] {
  return gains.length > 0 ? gains : losses;
}

export const pairName = ({ baseline, treatment }: Pair) => `${treatment} against ${baseline}`;

const itself = (arm: string) =>
  new PmcoderError(
    "usage",
    `An arm cannot be judged against itself: ${arm}. Name another by --baseline or --treatment.`,
  );

function refuseStranger(arms: readonly string[], { baseline, treatment }: Chosen): void {
  const stranger = [baseline, treatment].find((arm) => arm !== undefined && !arms.includes(arm));
  if (stranger === undefined) return;
  throw new PmcoderError(
    "usage",
    `There is no arm ${stranger} in this experiment; its arms are ${arms.join(", ")}.`,
  );
}
