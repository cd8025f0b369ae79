import { type ArmSummary, summarizeArm } from "../statistics/arm.ts";
import { type Estimate, type Interval, summed } from "../statistics/bootstrap.ts";
import { armsOf } from "../statistics/outcome.ts";
import type { BootstrapOptions } from "../statistics/resample.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import type { Episode } from "./episode.ts";
import { type Ledger, readsOf } from "./ledger.ts";
import { fixed, maybe, none, percent, range } from "./numerals.ts";

/** What an arm resolves, as a share and in instances. */
export interface ArmNumbers extends ArmSummary {
  readonly total: Estimate | null;
  /** Of the share: by instance over several runs, Wilson's for a single one. */
  readonly shown: Interval | null;
}

export function armNumbers(
  episodes: readonly Episode[],
  options: BootstrapOptions,
): readonly ArmNumbers[] {
  return armsOf(episodes).map((arm) => {
    const summary = summarizeArm(episodes, arm, options);
    const { resolved, runs } = summary;
    const [only] = runs;
    return {
      ...summary,
      total: resolved && summed(resolved),
      shown: runs.length === 1 && only ? only.resolved.interval : (resolved?.interval ?? null),
    };
  });
}

/** What arms resolve, run by run (as arXiv:2608.06811, Table III). */
export function resolvedTable(arms: readonly ArmNumbers[], ledger: Ledger): Table {
  const seeds = [...new Set(arms.flatMap(({ runs }) => runs.map(({ seed }) => seed)))];
  return {
    id: "resolved",
    caption: "Resolved instances by arm and run",
    columns: [
      textColumn("arm"),
      ...seeds.map((seed) => numberColumn(`seed ${seed}`)),
      ...["mean", "share", "95 % interval", "deviation of runs"].map(numberColumn),
    ],
    rows: arms.map(({ arm, runs, resolved, total, shown, runDeviation }) => [
      arm,
      ...seeds.map((seed) =>
        runText(
          runs.find((run) => run.seed === seed),
          ledger,
          arm,
        ),
      ),
      maybe(total?.value, (value) => fixed(value, 1)),
      maybe(resolved?.value, percent),
      shown === null ? none : range(shown, percent),
      maybe(runDeviation, (value) => `${fixed(100 * value, 2)} points`),
    ]),
    notes: [intervalNote(arms)],
    reads: readsOf(ledger),
  };
}

/** With its number of instances where it has not all of its arm. */
function runText(run: ArmSummary["runs"][number] | undefined, ledger: Ledger, arm: string): string {
  if (run === undefined) return none;
  const { k, n } = run.resolved;
  const isWhole = ledger.some((row) => row.arm === arm && row.instances === n);
  return isWhole ? fixed(k) : `${fixed(k)} of ${fixed(n)}`;
}

function intervalNote(arms: readonly ArmNumbers[]): string {
  const single = "Wilson's score interval of the one run";
  const several = "a bootstrap by instance of the mean over an instance's runs";
  const counts = new Set(arms.map(({ runs }) => (runs.length === 1 ? single : several)));
  return `Intervals: ${[...counts].join("; ")}. The denominator is always the full set: an episode that ended in an error, without a patch or with one that does not apply is not resolved.`;
}
