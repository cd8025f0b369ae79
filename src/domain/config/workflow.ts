import { z } from "zod";
import { ExpeRepairWorkflowConfig } from "./experepair-workflow.ts";

/** What can work on an issue. */
export const workflowNames = ["pmcoder", "experepair"] as const;

export const WorkflowConfig = z.strictObject({
  name: z
    .enum(workflowNames)
    .default("pmcoder")
    .describe(
      "What works on the issue: pmcoder's loop, or the fixed workflow of ExpeRepair (arXiv:2506.10484). Our choice of default.",
    ),
  experepair: ExpeRepairWorkflowConfig.prefault({}).describe("ExpeRepair's workflow."),
});
