import { type Phase, phases } from "../../domain/phase.ts";
import { meanOf, plainMean } from "../statistics/arm.ts";
import type { Estimate } from "../statistics/bootstrap.ts";
import { armsOf, type Measure } from "../statistics/outcome.ts";
import type { BootstrapOptions } from "../statistics/resample.ts";
import { signatureMeasures } from "../statistics/signature-comparison.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import type { Episode } from "./episode.ts";
import { type Ledger, readsOf } from "./ledger.ts";
import { fixed, maybe, withInterval } from "./numerals.ts";

/** How an arm's episodes went through the phases. */
export interface PhaseNumbers {
  readonly arm: string;
  /** Steps of an episode in each phase; null: its arm has no plan that would tell. */
  readonly steps: Readonly<Record<Phase, number | null>>;
  /** Steps in all, of arms without a plan too. */
  readonly turns: number | null;
  readonly backtracks: Estimate | null;
  /** Reverted, then fixed again. */
  readonly recoveries: Estimate | null;
}

/** Episodes whose phases are known: those of arms with a plan. */
function planned(measure: (result: NonNullable<Episode["result"]>) => number): Measure<Episode> {
  return ({ result }) => (result === null || result.phases.length === 0 ? null : measure(result));
}

const stepsIn = (phase: Phase) =>
  planned(({ phases: entered }) =>
    entered.reduce((sum, one) => sum + (one.phase === phase ? one.steps : 0), 0),
  );

export function phaseNumbers(
  episodes: readonly Episode[],
  options: BootstrapOptions,
): readonly PhaseNumbers[] {
  return armsOf(episodes).map((arm) => {
    const mean = (measure: Measure<Episode>) => meanOf(episodes, arm, measure, options);
    return {
      arm,
      steps: Object.fromEntries(
        phases.map((phase) => [phase, plainMean(episodes, arm, stepsIn(phase))]),
      ) as PhaseNumbers["steps"],
      turns: plainMean(episodes, arm, signatureMeasures.turns),
      backtracks: mean(planned(({ backtracks }) => backtracks)),
      recoveries: mean(signatureMeasures.recoveries),
    };
  });
}

export function phaseTable(arms: readonly PhaseNumbers[], ledger: Ledger): Table {
  const one = (value: number) => fixed(value, 1);
  const two = (value: number) => fixed(value, 2);
  return {
    id: "phases",
    caption: "Steps in each phase, and recoveries, per episode",
    columns: [
      textColumn("arm"),
      ...[...phases, "steps in all", "backtracks", "reverted, then fixed again"].map(numberColumn),
    ],
    rows: arms.map(({ arm, steps, turns, backtracks, recoveries }) => [
      arm,
      ...phases.map((phase) => maybe(steps[phase], one)),
      maybe(turns, one),
      withInterval(backtracks, two),
      withInterval(recoveries, two),
    ]),
    notes: ["Phases and backtracks are the plan's; an arm without a plan has none."],
    reads: readsOf(ledger),
  };
}
