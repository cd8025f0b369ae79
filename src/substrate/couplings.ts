import type { RunConfig } from "../domain/config/run-config.ts";
import type { ExportedSignal } from "../domain/plan.ts";
import { type Anchor, planAnchor, taskAnchor } from "./memory/anchor.ts";
import type { Memory } from "./memory/memory.ts";
import { basePolicy, type Policy, phasePolicy } from "./memory/policy.ts";
import type { PlanOptions } from "./planner/plan.ts";

/** The constants that decide what the substrate does. */
export type Rules = Pick<
  RunConfig,
  "planner" | "stuck" | "memory" | "couplings" | "injection" | "seed"
>;

/** Phase → retrieval: the plan picks budget, diversity, weights and breadth; uncoupled, Table II's. */
export function policyFor(signal: ExportedSignal | null, { couplings, memory }: Rules): Policy {
  return signal !== null && couplings.phaseRetrieval
    ? phasePolicy(signal.policyPhase, signal.tokenBudget, memory)
    : basePolicy(memory);
}

/** Sub-task → retrieval: the plan picks what is asked for; uncoupled, the issue and the last words. */
export function anchorFor(memory: Memory, signal: ExportedSignal | null, rules: Rules): Anchor {
  const { anchorWords: words, anchorIssueChars, files } = rules.memory;
  return signal !== null && rules.couplings.subtaskRetrieval
    ? planAnchor(memory, signal, { words, files: policyFor(signal, rules).files })
    : taskAnchor(memory, anchorIssueChars, { words, files });
}

/** Statistics → plan and verdict → plan: uncoupled, the planner takes them for unknown. */
export function planOptions({ planner, stuck, couplings }: Rules): PlanOptions {
  const { statsPlan, verdictPlan } = couplings;
  return { planner, stuck, couplings: { statsPlan, verdictPlan } };
}
