import { z } from "zod";

export const GroundingConfig = z.strictObject({
  on: z
    .boolean()
    .default(true)
    .describe(
      "Evidence from the environment; it needs the planner, whose plan it feeds. Our choice of default: the full arm.",
    ),
  integrity: z
    .boolean()
    .default(true)
    .describe("Parse edited files and tell what no longer parses. Our choice: the full arm."),
  integrityFiles: z
    .int()
    .positive()
    .default(3)
    .describe("Files parsed after one command. Our choice: an edit rarely breaks more."),
  integrityTimeoutSec: z
    .number()
    .positive()
    .default(10)
    .describe("Time limit of parsing them, in seconds. Our choice."),
  maxChecks: z
    .int()
    .nonnegative()
    .default(4)
    .describe("Runs of the reproduction script in one episode (Table II: 4)."),
  timeoutSec: z
    .number()
    .positive()
    .default(180)
    .describe("Time limit of one run of the reproduction script, in seconds (Table II: 180)."),
  tailChars: z
    .int()
    .nonnegative()
    .default(400)
    .describe("Characters shown of the end of a failing script's output. Our choice."),
  scripts: z
    .string()
    .default("repro-scripts")
    .describe("Folder of reproduction scripts, one folder an instance. Our choice."),
});
export type GroundingConfig = z.infer<typeof GroundingConfig>;
