import { exitStatuses } from "../../domain/episode.ts";
import { armsOf, seedsOf } from "../statistics/outcome.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import { type Episode, type EpisodeState, isJudged, states } from "./episode.ts";
import { fixed, plural, ranges } from "./numerals.ts";

/** What was read of an arm: each planned episode in exactly one state. */
interface LedgerRow {
  readonly arm: string;
  readonly seeds: readonly number[];
  readonly instances: number;
  readonly planned: number;
  readonly states: Readonly<Record<EpisodeState, number>>;
  /** How its episodes ended, by exit status; those without a result are left out. */
  readonly ends: Readonly<Partial<Record<string, number>>>;
  /** Attempts that the infrastructure failed, of all its episodes. */
  readonly failedAttempts: number;
  /** Episodes that more than one process worked on. */
  readonly resumed: number;
  /** Episodes whose environment was built anew in between. */
  readonly rebuilt: number;
}

export type Ledger = readonly LedgerRow[];

export function ledgerOf(episodes: readonly Episode[]): Ledger {
  return armsOf(episodes).map((arm) => {
    const own = episodes.filter((episode) => episode.arm === arm);
    const results = own.flatMap(({ result }) => result ?? []);
    const count = (holds: (result: (typeof results)[number]) => boolean) =>
      results.filter(holds).length;
    return {
      arm,
      seeds: seedsOf(own, arm),
      instances: new Set(own.map(({ instance }) => instance)).size,
      planned: own.length,
      states: tally(states, (state) => own.filter((episode) => episode.state === state).length),
      ends: Object.fromEntries(
        exitStatuses
          .map((status) => [status, count((result) => result.status === status)] as const)
          .filter(([, n]) => n > 0),
      ),
      failedAttempts: results.reduce((sum, { failures }) => sum + failures, 0),
      resumed: count(({ attempts }) => attempts > 1),
      rebuilt: count(({ rebuilt }) => rebuilt),
    };
  });
}

function tally<Key extends string>(keys: readonly Key[], of: (key: Key) => number) {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, number>;
}

/** Episodes of some arms that have no verdict; all arms if none is named. */
export function unjudged(ledger: Ledger, arms: readonly string[] = ledger.map(({ arm }) => arm)) {
  const rows = ledger.filter(({ arm }) => arms.includes(arm));
  const of = (state: EpisodeState) => rows.reduce((sum, row) => sum + row.states[state], 0);
  return states.filter((state) => !isJudged({ state })).reduce((sum, state) => sum + of(state), 0);
}

/** Which runs a table read, as it stands under it. */
export function readsOf(
  ledger: Ledger,
  arms: readonly string[] = ledger.map(({ arm }) => arm),
): string {
  const rows = ledger.filter(({ arm }) => arms.includes(arm));
  const seedSets = [...new Set(rows.map(({ seeds }) => ranges(seeds)))];
  const runs = seedSets.map((seeds) => {
    const own = rows.filter((row) => ranges(row.seeds) === seeds);
    const noun = own[0]?.seeds.length === 1 ? "seed" : "seeds";
    return `${listed(own.map(({ arm }) => arm))} (${noun} ${seeds})`;
  });
  const instances = Math.max(0, ...rows.map((row) => row.instances));
  const planned = rows.reduce((sum, row) => sum + row.planned, 0);
  const open = unjudged(ledger, arms);
  const lacking = open === 0 ? "" : `, ${fixed(open)} of them without a verdict`;
  return `Read: ${runs.join("; ")}; ${plural(instances, "instance")}, ${plural(planned, "episode")}${lacking}.`;
}

/** `a, b and c`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

export function ledgerTable(ledger: Ledger): Table {
  return {
    id: "episodes",
    caption: "Planned episodes, and what is known of them",
    columns: [
      textColumn("arm"),
      ...["planned", "resolved", "not resolved", "not graded", "given up", "missing"].map(
        numberColumn,
      ),
    ],
    rows: ledger.map(({ arm, planned, states: of }) => [
      arm,
      fixed(planned),
      ...states.map((state) => fixed(of[state])),
    ]),
    notes: [
      "Not graded: it has ended, but the grader came to no verdict or has not been asked. Given up: the infrastructure failed too often. Missing: it has not ended. These three count as not resolved in every table of results.",
    ],
    reads: readsOf(ledger),
  };
}

export function endsTable(ledger: Ledger): Table {
  const seen = exitStatuses.filter((status) => ledger.some(({ ends }) => ends[status]));
  return {
    id: "ends",
    caption: "How episodes ended",
    columns: [
      textColumn("arm"),
      ...seen.map((status) => numberColumn(status.replaceAll("_", " "))),
    ],
    rows: ledger.map(({ arm, ends }) => [arm, ...seen.map((status) => fixed(ends[status] ?? 0))]),
    notes: [],
    reads: readsOf(ledger),
  };
}

export function infrastructureTable(ledger: Ledger): Table {
  return {
    id: "infrastructure",
    caption: "Failures that are not the model's",
    columns: [
      textColumn("arm"),
      ...["given up", "failed attempts", "taken up again", "environment built anew"].map(
        numberColumn,
      ),
    ],
    rows: ledger.map(({ arm, states: of, failedAttempts, resumed, rebuilt }) => [
      arm,
      ...[of.given_up, failedAttempts, resumed, rebuilt].map((n) => fixed(n)),
    ]),
    notes: [
      "An attempt that the infrastructure failed is made again; only an episode that was given up is lost to the results.",
    ],
    reads: readsOf(ledger),
  };
}
