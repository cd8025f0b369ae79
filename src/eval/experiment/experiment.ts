import { z } from "zod";
import { experienceNames } from "../../domain/experience.ts";
import { Arm, ArmFields, name, settings } from "./arm.ts";
import { parseSeeds } from "./seeds.ts";
import { parseSize } from "./size.ts";

const count = () => z.int("must be a whole number");
const atLeastOne = () => count().min(1, "must be at least 1");
const notNegative = () => count().min(0, "must not be negative");

const Seeds = z.preprocess(
  (value) =>
    typeof value === "string" || typeof value === "number"
      ? (parseSeeds(String(value)) ?? value)
      : value,
  z
    .array(notNegative(), "must be a list of whole numbers, or a range such as 1-3")
    .min(1, "is empty")
    .refine((seeds) => new Set(seeds).size === seeds.length, "names a seed twice"),
);

const Size = z.preprocess(
  (value) => (typeof value === "string" ? (parseSize(value) ?? value) : value),
  z.number("must be a size such as 60 GB").min(0, "must not be negative"),
);

const Caps = z.strictObject(
  {
    perRunUsd: z
      .number("must be a number")
      .positive("must be more than 0")
      .default(3)
      .describe("US dollars of one run (Table I: $3.0 per instance)."),
    totalUsd: z
      .number("must be a number")
      .min(0, "must not be negative")
      .describe(
        "US dollars of the whole experiment, all restarts included: no run starts that could pass it. No default, so that nobody pays by accident.",
      ),
  },
  "must be a mapping with totalUsd and perRunUsd",
);

const Retries = z.strictObject(
  {
    run: notNegative()
      .default(2)
      .describe(
        "How often a run is started again that failed for a reason which is not the model's. Our choice: as often as it takes to see a pattern.",
      ),
    grading: notNegative()
      .default(1)
      .describe("How often a grading is started again that gave no log. Our choice."),
  },
  "must be a mapping with run and grading",
);

const Grading = z.strictObject(
  {
    generation: z
      .enum(["v4", "v5"], "must be v4 or v5")
      .default("v5")
      .describe("Whose parsers and rules decide, always as a pair: those of swebench 4.1 or 5.0."),
    timeoutSec: z
      .number("must be a number")
      .positive("must be more than 0")
      .default(1800)
      .describe("Time limit of one evaluation script, in seconds (swebench: 1800)."),
    gold: z
      .boolean("must be true or false")
      .default(true)
      .describe("Grade the dataset's own patches too, so that a broken grader shows. Our choice."),
  },
  "must be a mapping with generation, timeoutSec and gold",
);

const Experience = z
  .strictObject(
    {
      names: z
        .array(
          z.enum(experienceNames, `must be one of ${experienceNames.join(", ")}`),
          `must be a list of ${experienceNames.join(", ")}`,
        )
        .default([])
        .describe(
          "What every arm recalls from, unless its settings say otherwise in experience.names. Our choice: nothing.",
        ),
      bank: z
        .string("must be text")
        .min(1, "is empty")
        .nullable()
        .default(null)
        .describe(
          "The file that it is kept in, relative to this file. It is only read: no run of the experiment learns from another. null: repomem alone, which has none.",
        ),
    },
    "must be a mapping with names and bank",
  )
  .refine(({ names, bank }) => bank !== null || names.every((name) => name === "repomem"), {
    path: ["bank"],
    message: "is missing",
  });

/** An experiment as its file declares it: arms × seeds over the instances of a dataset. */
export const Experiment = z.strictObject({
  name: name().describe("Begins every run id. Letters, digits, dots, dashes, underscores."),
  description: z.string("must be text").default("").describe("What it is for, for the report."),
  dataset: z
    .string("must be text")
    .min(1, "is empty")
    .describe(
      "A fetched dataset by its name (verified), or a file (.jsonl, .json, .parquet) or SWE-bench 5 task repository, relative to this file.",
    ),
  arms: z
    .array(Arm, "must be a list of arms")
    .min(1, "is empty")
    .refine(
      (arms) => new Set(arms.map((arm) => arm.name)).size === arms.length,
      "names an arm twice; give one of the two another `name`",
    )
    .describe("What is compared; each is a name, a file, or {name, from, settings}."),
  seeds: Seeds.describe("Each arm runs every instance once with each: a list, or a range 1-3."),
  model: z
    .string("must be text")
    .regex(/^[^:]+:./, "must be provider:name")
    .nullable()
    .default(null)
    .describe(
      "provider:name. null: --model must be given. In replay:FILE, relative to this file, {instance}, {arm} and {seed} stand for those of the run.",
    ),
  environment: z
    .enum(["docker", "bubblewrap", "local"], "must be docker, bubblewrap or local")
    .nullable()
    .default(null)
    .describe(
      "Where commands run. null: docker, but for rows that bring their repository bubblewrap where it works, else local.",
    ),
  settings: settings().describe("Settings of every arm; an arm's own are stronger."),
  experience: Experience.nullable()
    .default(null)
    .describe("Memories across issues; null: no arm has any, whatever the user's own bank holds."),
  caps: Caps.describe("What it may cost."),
  workers: atLeastOne().default(4).describe("Runs at once on one machine. Our choice: 4."),
  retries: Retries.prefault({}).describe(
    "Failures of the infrastructure are tried again and counted apart.",
  ),
  imageCache: Size.default(100e9).describe(
    "Images may stay up to this size, in bytes or as 100 GB; above it an image goes after its last run. Our choice: room for some dozens.",
  ),
  grading: Grading.prefault({}).describe("How patches are judged."),
  orderSeed: notNegative()
    .default(1)
    .describe("Shuffles arms and seeds within an instance, so that no arm always runs first."),
});
export type Experiment = z.infer<typeof Experiment>;
export type ExperimentArm = Experiment["arms"][number];

const groups: Readonly<Record<string, z.ZodObject>> = {
  caps: Caps,
  retries: Retries,
  grading: Grading,
  experience: Experience,
  arms: ArmFields,
};

/** The keys that the mapping at a path of the file may have. */
export function keysAt([group]: readonly PropertyKey[]): readonly string[] {
  if (group === undefined) return Object.keys(Experiment.shape);
  return Object.keys(groups[String(group)]?.shape ?? {});
}
