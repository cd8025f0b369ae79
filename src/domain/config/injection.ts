import { z } from "zod";

export const InjectionConfig = z.strictObject({
  on: z
    .boolean()
    .default(true)
    .describe("Append the block to tool results. Our choice of default: the full arm."),
  placebo: z
    .boolean()
    .default(false)
    .describe(
      "Replace each memory line by random lines of as many tokens, drawn with the run's seed. Our choice: the control that shows whether content matters.",
    ),
  budget: z
    .int()
    .positive()
    .default(800)
    .describe("Tokens of one block, header included. Our choice: some 15 blocks an episode."),
  nodes: z.int().positive().default(4).describe("Nodes shown in one block. Our choice."),
  excerptChars: z
    .int()
    .positive()
    .default(600)
    .describe("Characters shown of one node. Our choice: four nodes fit the budget."),
  interval: z
    .int()
    .positive()
    .default(5)
    .describe("Steps between two blocks without a planner. Our choice."),
  failures: z
    .int()
    .positive()
    .default(3)
    .describe("Failed commands in a row that fire a block without a planner. Our choice."),
  churn: z
    .int()
    .positive()
    .default(3)
    .describe("Edits of a file since the last passing check that are worth a note. Our choice."),
});
export type InjectionConfig = z.infer<typeof InjectionConfig>;
