import type { PlanState, StuckSignal } from "../domain/plan.ts";
import type { Memory } from "../substrate/memory/memory.ts";
import { type FileChurn, fileChurn } from "./file-churn.ts";
import { beginStanding, type Insight, lookInto, type Standing } from "./insight.ts";
import { type LadderItem, ladderOf } from "./ladder.ts";
import { countedBy, type Moment, momentsOf, stuckSignals } from "./moments.ts";
import type { RecordedTurn, Recording } from "./recording.ts";

export interface StepView {
  readonly turn: RecordedTurn;
  /** null: plan and memory have not got to it. */
  readonly insight: Insight | null;
}

/** One count of stuck detection over the steps. */
export interface CounterSeries {
  readonly signal: StuckSignal;
  /** What it counts, as it reads after a number. */
  readonly label: string;
  readonly threshold: number;
  /** One a step. */
  readonly values: readonly number[];
}

/** An episode as its page shows it. */
export interface EpisodeView {
  readonly recording: Recording;
  readonly steps: readonly StepView[];
  /** Steps that plan and memory have got to, from the first. */
  readonly known: number;
  readonly ladder: readonly LadderItem[];
  readonly moments: readonly Moment[];
  readonly counters: readonly CounterSeries[];
  readonly files: FileChurn;
}

/** How far plan and memory have got with a recording that may still grow. */
export interface Progress {
  /** The plan at the start; null without a planner. */
  readonly plan: PlanState | null;
  readonly insights: readonly Insight[];
  readonly standing: Standing;
}

export function beginProgress(recording: Recording): Progress {
  const standing = beginStanding(recording);
  return { plan: standing.state.plan, insights: [], standing };
}

/** Turns that are complete and that plan and memory have not got to. */
export function pendingTurns({ turns }: Recording, { insights }: Progress): number {
  const open = turns.findIndex(({ complete }) => !complete);
  return (open === -1 ? turns.length : open) - insights.length;
}

/** One turn further; the same progress when none is pending. */
export function advance(recording: Recording, progress: Progress): Progress {
  const turn = recording.turns[progress.insights.length];
  if (turn === undefined || pendingTurns(recording, progress) <= 0) return progress;
  const { after, insight } = lookInto(progress.standing, turn);
  return { ...progress, insights: [...progress.insights, insight], standing: after };
}

/** Everything that is pending, at once. */
export function advanceAll(recording: Recording, from = beginProgress(recording)): Progress {
  let progress = from;
  while (pendingTurns(recording, progress) > 0) progress = advance(recording, progress);
  return progress;
}

export function episodeView(recording: Recording, progress: Progress): EpisodeView {
  const { insights, standing } = progress;
  const { stuck } = standing.state.rules;
  const memory: Memory | null = standing.state.memory;
  return {
    recording,
    steps: recording.turns.map((turn, at) => ({ turn, insight: insights[at] ?? null })),
    known: insights.length,
    ladder: ladderOf(progress.plan, insights),
    moments: momentsOf(insights, stuck),
    counters: stuckSignals.flatMap((signal) => {
      const values = insights.map(({ counts }) => counts[signal]);
      if (values.every((value) => value === undefined)) return [];
      const label = countedBy(signal, stuck);
      return [{ signal, label, threshold: stuck[signal], values: values.map((n) => n ?? 0) }];
    }),
    files: fileChurn(insights, memory),
  };
}
