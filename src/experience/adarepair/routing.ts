import type { Occasion, Stage } from "../../domain/experience.ts";
import type { PolicyPhase } from "../../domain/phase.ts";

/** The stages that a phase asks; turning back leads into exploring again. Our choice. */
const stagesOf: Readonly<Record<PolicyPhase, readonly Stage[]>> = {
  explore: ["loc"],
  hypothesize: ["rep", "loc"],
  implement: ["gen"],
  verify: ["val"],
  backtrack: ["loc"],
};

/**
 * Stage-aware routing (arXiv:2609.20130): the partitions that an occasion asks, each of them only
 * where those before it have nothing. A patch that follows a failure refines.
 */
export function route({ phase, refining }: Pick<Occasion, "phase" | "refining">): readonly Stage[] {
  return phase === "implement" && refining ? ["ref"] : stagesOf[phase];
}

/** An occasion of each stage, for whoever asks without an episode. */
export const occasionOf: Readonly<Record<Stage, Pick<Occasion, "phase" | "refining">>> = {
  rep: { phase: "hypothesize", refining: false },
  loc: { phase: "explore", refining: false },
  gen: { phase: "implement", refining: false },
  ref: { phase: "implement", refining: true },
  val: { phase: "verify", refining: false },
};
