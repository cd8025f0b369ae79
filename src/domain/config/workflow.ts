import { z } from "zod";
import { ExpeRepairWorkflowConfig } from "./experepair-workflow.ts";
import { SweExpSearchConfig } from "./swe-exp-search.ts";

/** What can work on an issue. */
export const workflowNames = ["pmcoder", "experepair", "swe-exp"] as const;

export const WorkflowConfig = z.strictObject({
  name: z
    .enum(workflowNames)
    .default("pmcoder")
    .describe(
      "What works on the issue: pmcoder's loop, the fixed workflow of ExpeRepair (arXiv:2506.10484), or the search of SWE-Exp (arXiv:2507.23361). Our choice of default.",
    ),
  experepair: ExpeRepairWorkflowConfig.prefault({}).describe("ExpeRepair's workflow."),
  sweExp: SweExpSearchConfig.prefault({}).describe("SWE-Exp's search."),
});
