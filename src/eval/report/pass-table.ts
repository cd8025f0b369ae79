import type { Estimate } from "../statistics/bootstrap.ts";
import { armsOf, seedsOf } from "../statistics/outcome.ts";
import { passAtKOf } from "../statistics/pass-at-k.ts";
import type { BootstrapOptions } from "../statistics/resample.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import type { Episode } from "./episode.ts";
import { type Ledger, readsOf } from "./ledger.ts";
import { percent, withInterval } from "./numerals.ts";

export interface PassNumbers {
  readonly arm: string;
  /** pass@1, pass@2, … up to the number of runs. */
  readonly passAt: readonly (Estimate | null)[];
}

export function passNumbers(
  episodes: readonly Episode[],
  options: BootstrapOptions,
): readonly PassNumbers[] {
  return armsOf(episodes).map((arm) => ({
    arm,
    passAt: seedsOf(episodes, arm).map((_, at) => passAtKOf(episodes, { arm, k: at + 1 }, options)),
  }));
}

export function passTable(arms: readonly PassNumbers[], ledger: Ledger): Table {
  const most = Math.max(0, ...arms.map(({ passAt }) => passAt.length));
  const places = Array.from({ length: most }, (_, at) => at);
  return {
    id: "pass-at-k",
    caption: "pass@k: at least one of k runs resolves the instance",
    columns: [textColumn("arm"), ...places.map((at) => numberColumn(`pass@${at + 1}`))],
    rows: arms.map(({ arm, passAt }) => [
      arm,
      ...places.map((at) => withInterval(passAt[at] ?? null, percent)),
    ]),
    notes: [
      "Unbiased over all choices of k from an instance's runs (arXiv:2107.03374), then the mean over instances, bootstrapped by instance.",
    ],
    reads: readsOf(ledger),
  };
}
