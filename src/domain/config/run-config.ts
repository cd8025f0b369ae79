import { z } from "zod";
import { AgentConfig } from "./agent.ts";
import { CouplingsConfig } from "./couplings.ts";
import { EnvironmentConfig } from "./environment.ts";
import { ExperienceConfig } from "./experience.ts";
import { GroundingConfig } from "./grounding.ts";
import { InjectionConfig } from "./injection.ts";
import { MemoryConfig } from "./memory.ts";
import { ModelConfig } from "./model.ts";
import { PlannerConfig, StuckConfig } from "./planner.ts";
import { WorkflowConfig } from "./workflow.ts";

/**
 * Everything that decides a run, one strict schema: a file per area, every constant with its
 * source. Tables are those of arXiv:2608.06811. The resolved value is stored with each run.
 */
export const RunConfig = z.strictObject({
  arm: z.string().min(1).default("full").describe("Name of the arm in reports. Our choice."),
  seed: z
    .int()
    .nonnegative()
    .default(1)
    .describe("Goes to APIs that take one and to our own shuffles. Our choice."),
  model: ModelConfig.prefault({}).describe("The language model."),
  agent: AgentConfig.prefault({}).describe("The observe-act loop and its limits."),
  environment: EnvironmentConfig.prefault({}).describe("Where commands run."),
  planner: PlannerConfig.prefault({}).describe("The phase planner."),
  stuck: StuckConfig.prefault({}).describe("Thresholds that declare the agent stuck."),
  memory: MemoryConfig.prefault({}).describe("The episodic memory."),
  couplings: CouplingsConfig.prefault({}).describe("What joins plan and memory."),
  grounding: GroundingConfig.prefault({}).describe("What is taken from executed evidence."),
  injection: InjectionConfig.prefault({}).describe("What the model is shown of plan and memory."),
  workflow: WorkflowConfig.prefault({}).describe("What works on the issue."),
  experience: ExperienceConfig.prefault({}).describe("Memories across issues."),
});
export type RunConfig = z.infer<typeof RunConfig>;
