import { PmcoderError } from "../../domain/errors.ts";
import { nearest } from "../../domain/nearest.ts";
import type { Experiment } from "./experiment.ts";
import { parseSeeds } from "./seeds.ts";

/** The part of an experiment that is to run now. Jobs keep their ids whatever is selected. */
export interface Selection {
  readonly arms: readonly string[];
  readonly seeds: readonly number[];
  /** Whether an instance is among those filtered, before the slice. */
  readonly filter: RegExp | null;
  /** Of the filtered instances, in the order of the dataset; negative counts from the end. */
  readonly slice: { readonly from: number; readonly to: number | undefined };
}

/** The flags as written. */
export interface SelectionFlags {
  readonly arms?: string | undefined;
  readonly seeds?: string | undefined;
  readonly slice?: string | undefined;
  readonly filter?: string | undefined;
}

/**
 * Reads `--arms full,baseline --seeds 1-2 --slice 0:50 --filter REGEX`; what is not given is all.
 * Throws PmcoderError `usage` that names the flag, what it may hold, and the nearest arm.
 */
export function parseSelection(
  flags: SelectionFlags,
  { arms, seeds }: Pick<Experiment, "arms" | "seeds">,
): Selection {
  const names = arms.map(({ name }) => name);
  return {
    arms: flags.arms === undefined ? names : armsOf(flags.arms, names),
    seeds: flags.seeds === undefined ? seeds : seedsOf(flags.seeds, seeds),
    slice: flags.slice === undefined ? { from: 0, to: undefined } : sliceOf(flags.slice),
    filter: flags.filter === undefined ? null : filterOf(flags.filter),
  };
}

function armsOf(text: string, known: readonly string[]): readonly string[] {
  return unique(
    text.split(",").map((part) => {
      const name = part.trim();
      if (known.includes(name)) return name;
      const [near] = nearest(name, known, { count: 1, within: Math.max(2, name.length / 3) });
      const hint = near === undefined ? "" : ` Did you mean ${near}?`;
      throw usage(`--arms: there is no arm "${name}"; there are ${known.join(", ")}.${hint}`);
    }),
  );
}

function seedsOf(text: string, known: readonly number[]): readonly number[] {
  const seeds = parseSeeds(text);
  if (seeds === null) throw usage(`--seeds ${text}: write numbers and ranges, such as 1,3 or 1-3.`);
  const other = seeds.find((seed) => !known.includes(seed));
  if (other === undefined) return unique(seeds);
  throw usage(`--seeds: the experiment has no seed ${other}; it has ${known.join(", ")}.`);
}

function sliceOf(text: string): Selection["slice"] {
  const [, from, to] = /^\s*(-?\d*)\s*:\s*(-?\d*)\s*$/.exec(text) ?? [];
  if (from === undefined || to === undefined || from === "-" || to === "-") {
    throw usage(`--slice ${text}: write FROM:TO, such as 0:50, 50: or :-10; TO is not included.`);
  }
  return { from: Number(from), to: to === "" ? undefined : Number(to) };
}

function filterOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PmcoderError("usage", `--filter ${text}: ${reason}.`, { cause });
  }
}

const unique = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];

function usage(message: string): PmcoderError {
  return new PmcoderError("usage", message);
}
