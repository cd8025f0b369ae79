import { z } from "zod";

const coupling = (what: string) =>
  z.boolean().default(true).describe(`${what}. Our choice of switch: on, as in arXiv:2608.06811.`);

/** The four couplings of plan and memory; each needs both to be on. */
export const CouplingsConfig = z.strictObject({
  phaseRetrieval: coupling("The phase picks budget, diversity, weights and beam of retrieval"),
  subtaskRetrieval: coupling("The active sub-task's words and files seed the query of retrieval"),
  statsPlan: coupling("Memory's statistics declare the agent stuck and change the plan"),
  verdictPlan: coupling("The verdict of the reproduction script decides what counts as verified"),
});
export type CouplingsConfig = z.infer<typeof CouplingsConfig>;
