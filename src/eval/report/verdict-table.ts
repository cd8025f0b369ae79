import type { Share } from "../replay-share.ts";
import { armsOf } from "../statistics/outcome.ts";
import { type VerdictValidity, verdictValidity } from "../statistics/verdict-validity.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import { type Episode, isJudged } from "./episode.ts";
import { type Ledger, readsOf } from "./ledger.ts";
import { fixed, none, percent, range } from "./numerals.ts";

export interface VerdictNumbers extends VerdictValidity {
  readonly arm: string;
}

/** Of each arm whose episodes have verdicts; episodes that nobody graded say nothing of them. */
export function verdictNumbers(episodes: readonly Episode[]): readonly VerdictNumbers[] {
  return armsOf(episodes)
    .map((arm) => {
      const own = episodes.filter((episode) => episode.arm === arm && isJudged(episode));
      return { arm, ...verdictValidity(own) };
    })
    .filter(({ resolvedPass, unresolvedPass }) => resolvedPass.n + unresolvedPass.n > 0);
}

/** Whether the reproduction script's last word agrees with the grader's. */
export function verdictTable(arms: readonly VerdictNumbers[], ledger: Ledger): Table {
  return {
    id: "verdicts",
    caption: "Last verdict of the reproduction script, against the grader",
    columns: [
      textColumn("arm"),
      ...[
        "resolved: passed",
        "resolved: share",
        "resolved: 95 %",
        "others: passed",
        "others: share",
        "others: 95 %",
        "no verdict",
      ].map(numberColumn),
    ],
    rows: arms.map(({ arm, resolvedPass, unresolvedPass, without }) => [
      arm,
      ...shareCells(resolvedPass),
      ...shareCells(unresolvedPass),
      fixed(without),
    ]),
    notes: [
      "Of the graded episodes with a verdict. A good script passes in most resolved episodes and in few of the others. Wilson's intervals; several runs of an instance are not independent, so they are a little too narrow.",
    ],
    reads: readsOf(
      ledger,
      arms.map(({ arm }) => arm),
    ),
  };
}

function shareCells({ k, n, share, interval }: Share): readonly string[] {
  if (share === null || interval === null) return [`${k} of ${n}`, none, none];
  return [`${fixed(k)} of ${fixed(n)}`, percent(share), range(interval, percent)];
}
