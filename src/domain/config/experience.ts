import { z } from "zod";
import { experienceNames } from "../experience.ts";
import { AdaRepairConfig } from "./adarepair.ts";
import { ExpeRepairConfig } from "./experepair.ts";
import { RepoMemConfig } from "./repomem.ts";
import { SweExpMemoryConfig } from "./swe-exp-memory.ts";

const tokens = (value: number, what: string, source: string) =>
  z.int().nonnegative().default(value).describe(`Tokens for ${what}. Our choice: ${source}.`);

const Budgets = z.strictObject({
  commits: tokens(
    500,
    "what RepoMem says of the repository's history",
    "five commits, three files",
  ),
  insights: tokens(400, "ExpeRepair's insights", "fifteen lines"),
  records: tokens(600, "repairs of other issues (ExpeRepair, AdaRepair-Mem)", "one to three"),
  experience: tokens(300, "SWE-Exp's experience", "one"),
  total: tokens(1000, "one block, its frame included", "some five blocks an episode"),
});
export type ExperienceBudgets = z.infer<typeof Budgets>;

export const ExperienceConfig = z.strictObject({
  names: z
    .array(z.enum(experienceNames))
    .default([])
    .describe(
      "Memories across issues that are recalled from and that learn: repomem, experepair, adarepair, swe-exp. Our choice: none unless asked for.",
    ),
  bank: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "The file that they are kept in. null: pmcoder/experience.db in the user's data folder; an evaluation has no such default. Our choice.",
    ),
  strictDates: z
    .boolean()
    .default(true)
    .describe(
      "Deny what was learned from an issue of an unknown date, or for an issue of an unknown date. Our choice: it may be younger than the issue at hand.",
    ),
  budgets: Budgets.prefault({}).describe("What they may say at once, by source."),
  repomem: RepoMemConfig.prefault({}).describe("The repository's history (arXiv:2510.01003)."),
  experepair: ExpeRepairConfig.prefault({}).describe("Demonstrations and insights."),
  adarepair: AdaRepairConfig.prefault({}).describe("Demonstrations, chosen for the stage."),
  sweExp: SweExpMemoryConfig.prefault({}).describe("Experiences of trajectories."),
});
export type ExperienceConfig = z.infer<typeof ExperienceConfig>;
