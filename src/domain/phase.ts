/** The four phases of an episode, in rank order (arXiv:2608.06811, Fig. 3). */
export const phases = ["explore", "hypothesize", "implement", "verify"] as const;
export type Phase = (typeof phases)[number];

/** What retrieval policy may stand on: a phase, or the backtrack event that re-enters at explore. */
export type PolicyPhase = Phase | "backtrack";

export function rankOf(phase: Phase): number {
  return phases.indexOf(phase);
}
