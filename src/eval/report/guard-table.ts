import type { Peek } from "../../domain/peek.ts";
import { armsOf } from "../statistics/outcome.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import type { Episode } from "./episode.ts";
import { type Ledger, readsOf } from "./ledger.ts";
import { fixed } from "./numerals.ts";

/** An episode whose model looked, or tried to look, at what came after the base. */
interface Peeking extends Pick<Episode, "instance" | "arm" | "seed" | "resolved"> {
  readonly commands: number;
  /** What its summary lists; empty where that is not there. */
  readonly peeks: readonly Peek[];
}

export interface GuardNumbers {
  readonly arms: readonly {
    readonly arm: string;
    readonly peeking: number;
    readonly resolved: number;
  }[];
  readonly episodes: readonly Peeking[];
}

/** `peeks`: the commands, by job. */
export function guardNumbers(
  episodes: readonly Episode[],
  peeks: ReadonlyMap<string, readonly Peek[]>,
): GuardNumbers {
  const found = episodes.flatMap(({ instance, arm, seed, resolved, result }): readonly Peeking[] =>
    result === null || result.peeks === 0
      ? []
      : [
          {
            instance,
            arm,
            seed,
            resolved,
            commands: result.peeks,
            peeks: peeks.get(result.job) ?? [],
          },
        ],
  );
  const arms = armsOf(episodes).map((arm) => {
    const own = found.filter((episode) => episode.arm === arm);
    return { arm, peeking: own.length, resolved: own.filter(({ resolved }) => resolved).length };
  });
  return { arms, episodes: found };
}

export function guardTable({ arms }: GuardNumbers, ledger: Ledger): Table {
  return {
    id: "guard",
    caption: "Episodes that looked at the future of their base, or fetched upstream code",
    columns: [textColumn("arm"), numberColumn("episodes"), numberColumn("of them resolved")],
    rows: arms.map(({ arm, peeking, resolved }) => [arm, fixed(peeking), fixed(resolved)]),
    notes: [
      "From the texts of commands: what a command tried counts as what it did. They count like all others in the tables of results; a resolved one may have been looked up.",
    ],
    reads: readsOf(ledger),
  };
}

export function peeksTable({ episodes }: GuardNumbers, ledger: Ledger): Table {
  const arms = [...new Set(episodes.map(({ arm }) => arm))];
  return {
    id: "peeks",
    caption: "The commands that looked",
    columns: [
      textColumn("instance"),
      textColumn("arm"),
      ...["seed", "step"].map(numberColumn),
      ...["resolved", "why", "command"].map(textColumn),
    ],
    rows: episodes.flatMap(({ instance, arm, seed, resolved, commands, peeks }) => {
      const about = (step: string) => [instance, arm, String(seed), step, resolved ? "yes" : "no"];
      if (peeks.length === 0) return [[...about(""), `${commands} commands`, ""]];
      return peeks.map(({ step, reason, command }) => [...about(String(step)), reason, command]);
    }),
    notes: [],
    reads: readsOf(ledger, arms),
  };
}
