import type { EpisodeView, StepView } from "./episode-view.ts";

/** Two episodes beside each other. */
export interface Comparison {
  readonly left: EpisodeView;
  readonly right: EpisodeView;
  /** The first step, from 1, at which they ran something else; null: they never part. */
  readonly parting: number | null;
  /** Steps of both by number; null: that episode has ended. */
  readonly rows: readonly {
    readonly step: number;
    readonly left: StepView | null;
    readonly right: StepView | null;
    readonly same: boolean;
  }[];
}

/** Steps are compared by what they ran; what the model said beside it always differs. */
export function compare(left: EpisodeView, right: EpisodeView): Comparison {
  const length = Math.max(left.steps.length, right.steps.length);
  const rows = Array.from({ length }, (_, at) => {
    const [one, other] = [left.steps[at] ?? null, right.steps[at] ?? null];
    return { step: at + 1, left: one, right: other, same: ranTheSame(one, other) };
  });
  const parting = rows.find(({ same }) => !same)?.step ?? null;
  return { left, right, parting, rows };
}

function ranTheSame(one: StepView | null, other: StepView | null): boolean {
  if (one === null || other === null) return false;
  const commands = ({ turn }: StepView) => turn.calls.map(({ command }) => command.trim());
  return JSON.stringify(commands(one)) === JSON.stringify(commands(other));
}
