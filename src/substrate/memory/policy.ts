import type { MemoryConfig } from "../../domain/config/memory.ts";
import type { PolicyPhase } from "../../domain/phase.ts";

/** How one retrieval weighs what it finds. */
export interface Policy {
  /** Tokens of the working set, core included. */
  readonly budget: number;
  /** Relevance against diversity, from 0 to 1. */
  readonly lambda: number;
  /** Lexical and graph weight. */
  readonly wc: number;
  readonly wg: number;
  /** Width of the beam. */
  readonly beam: number;
  /** Most touched files that the anchor stands on. */
  readonly files: number;
}

/** The policy without a phase (arXiv:2608.06811, Table II). */
export function basePolicy(config: MemoryConfig): Policy {
  const { budget, lambda, wc, wg, beam, files } = config;
  return { budget, lambda, wc, wg, beam, files };
}

/** The policy of a phase; `budget` is what the planner exports for it. */
export function phasePolicy(phase: PolicyPhase, budget: number, config: MemoryConfig): Policy {
  return config.uniformPolicy
    ? { ...basePolicy(config), budget }
    : { ...config.policy[phase], budget };
}
