import { z } from "zod";
import { PmcoderError } from "../domain/errors.ts";
import { type Phase, phases } from "../domain/phase.ts";
import type { Replay, ReplayedTurn } from "./replay.ts";
import { kindOf, writesOf } from "./replay-line.ts";

/** A step that a person has read and judged. */
export const LabelRow = z.object({
  instance_id: z.string(),
  /** The n-th assistant message, from 1. */
  step: z.int().positive(),
  phase: z.enum([...phases, "submit"]),
  /** Files that it changed. */
  mutates: z.array(z.string()).default([]),
  /** A second reading is possible. */
  ambiguous: z.boolean().default(false),
});
export type LabelRow = z.infer<typeof LabelRow>;

/** How well the substrate reads steps; null where there is nothing to judge by. */
export interface LabelScore {
  /** Labelled steps of the replayed episodes. */
  readonly n: number;
  readonly accuracy: number;
  /** Over the steps that are not ambiguous. */
  readonly clear_accuracy: number | null;
  /** Mean of the four phases' F1, over all labelled steps. */
  readonly macro_f1: number;
  /** Over (instance, step, path), paths outside the repository and rejected steps left out. */
  readonly mutation_f1: number | null;
}

/** A labelled step with what the replay made of it; undefined: the episode has no such step. */
interface Judged {
  readonly label: LabelRow;
  readonly turn: ReplayedTurn | undefined;
}

/**
 * Scores the replayed steps against labels by instance and step. Labels of episodes that were not
 * replayed are left out. Throws PmcoderError `usage` when none is left.
 */
export function scoreLabels(labels: readonly LabelRow[], replays: readonly Replay[]): LabelScore {
  const turns = new Map(replays.map(({ instanceId, turns }) => [instanceId, turns]));
  const judged = labels.flatMap((label): Judged[] => {
    const episode = turns.get(label.instance_id);
    return episode ? [{ label, turn: episode.find(({ step }) => step === label.step) }] : [];
  });
  if (judged.length === 0) {
    throw new PmcoderError(
      "usage",
      `None of the ${labels.length} labelled steps belongs to a replayed episode: compare their instance_id with those of the trajectories.`,
    );
  }
  const clear = judged.filter(({ label }) => !label.ambiguous);
  const scores = phases.map((phase) => f1(phaseTally(judged, phase)) ?? 0);
  return {
    n: judged.length,
    accuracy: shareRight(judged) ?? 0,
    clear_accuracy: shareRight(clear),
    macro_f1: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    mutation_f1: f1(mutationTally(judged)),
  };
}

/** `submit` for a submission, else what the detector proposed, else the phase the step stands in. */
function predictedPhase(turn: ReplayedTurn): Phase | "submit" {
  if (kindOf(turn) === "submit") return "submit";
  const standing = turn.phase === "backtrack" ? "explore" : turn.phase;
  return turn.detected ?? standing ?? "explore";
}

function isRight({ label, turn }: Judged): boolean {
  return turn !== undefined && predictedPhase(turn) === label.phase;
}

function shareRight(judged: readonly Judged[]): number | null {
  return judged.length === 0 ? null : judged.filter(isRight).length / judged.length;
}

interface Tally {
  readonly hits: number;
  /** Said, and not so. */
  readonly extra: number;
  /** So, and not said. */
  readonly missed: number;
}

function f1({ hits, extra, missed }: Tally): number | null {
  const whole = 2 * hits + extra + missed;
  return whole === 0 ? null : (2 * hits) / whole;
}

function phaseTally(judged: readonly Judged[], phase: Phase): Tally {
  const said = judged.filter(({ turn }) => turn !== undefined && predictedPhase(turn) === phase);
  const so = judged.filter(({ label }) => label.phase === phase);
  const hits = said.filter(isRight).length;
  return { hits, extra: said.length - hits, missed: so.length - hits };
}

function mutationTally(judged: readonly Judged[]): Tally {
  const ran = judged.filter(({ turn }) => turn?.rejected !== true);
  const tallies = ran.map(({ label, turn }) => {
    const said = new Set(turn ? writesOf(turn).filter(isInside) : []);
    const so = new Set(label.mutates.filter(isInside));
    const hits = [...said].filter((path) => so.has(path)).length;
    return { hits, extra: said.size - hits, missed: so.size - hits };
  });
  return tallies.reduce(
    (sum, { hits, extra, missed }) => ({
      hits: sum.hits + hits,
      extra: sum.extra + extra,
      missed: sum.missed + missed,
    }),
    { hits: 0, extra: 0, missed: 0 },
  );
}

function isInside(path: string): boolean {
  return !path.startsWith("/") && !path.startsWith("~");
}
