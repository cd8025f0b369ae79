import { z } from "zod";
import { RunConfig } from "../../domain/config/run-config.ts";
import { PmcoderError } from "../../domain/errors.ts";
import { ReproRecord } from "../../domain/reproducer.ts";
import { DatasetRow } from "../dataset-row.ts";
import type { EpisodeJob } from "../experiment/expand.ts";
import { modelNameOf } from "../experiment/model-name.ts";

const Script = z.object({
  record: ReproRecord,
  reproducer: z
    .object({ lang: z.enum(["python", "bash"]), text: z.string(), sha256: z.string() })
    .nullable(),
  isSame: z.boolean(),
});

/** What every job of an experiment needs. */
const Common = z.object({
  name: z.string(),
  /** Names of its arms. */
  arms: z.array(z.string()),
  /** Where its commands run. */
  kinds: z.array(z.enum(["docker", "bubblewrap", "local"])),
  /** The folder that paths of recordings are relative to. */
  modelBase: z.string(),
  caps: z.object({ perRunUsd: z.number(), totalUsd: z.number() }),
  retries: z.object({ run: z.int(), grading: z.int() }),
  grading: z.object({
    generation: z.enum(["v4", "v5"]),
    timeoutSec: z.number(),
    gold: z.boolean(),
  }),
  imageCache: z.number(),
  /** Seconds after which a worker that gives no sign has lost its jobs. */
  leaseSec: z.number(),
});
export type ExperimentSpec = Readonly<z.infer<typeof Common>>;

const Instance = z.object({
  row: DatasetRow,
  /** Absolute path of the folder with its repository; null: its image has it. */
  repository: z.string().nullable(),
  /** Its reproduction script, if one is kept. */
  script: Script.nullable(),
});
export type InstanceSpec = Readonly<z.infer<typeof Instance>>;

/** What an arm is: its configuration, and the texts of prompts of the user's own. */
const Arm = z.object({ config: RunConfig, prompts: z.record(z.string(), z.string()) });
export type ArmSpec = Readonly<z.infer<typeof Arm>>;

/** Everything that decides one episode, by value. */
export interface EpisodeSpec extends InstanceSpec {
  readonly job: EpisodeJob;
  readonly config: RunConfig;
  readonly prompts: ArmSpec["prompts"];
}

/** An experiment by value: one document for each of its arms and instances, and one for all. */
export type Documents = ReadonlyMap<string, unknown>;

export function documentsOf(
  common: ExperimentSpec,
  arms: ReadonlyMap<string, ArmSpec>,
  instances: ReadonlyMap<string, InstanceSpec>,
): Documents {
  return new Map<string, unknown>([
    [commonKey, common],
    ...[...arms].map(([name, arm]) => [armKey(name), arm] as const),
    ...[...instances].map(([id, instance]) => [instanceKey(id), instance] as const),
  ]);
}

const commonKey = "experiment";
const armKey = (name: string) => `arm/${name}`;
const instanceKey = (id: string) => `instance/${id}`;

/** Reads a document; undefined: there is none of that name. */
export type ReadDocument = (key: string) => Promise<unknown>;

/** Throws PmcoderError `usage` when the experiment is not there, or is of another version. */
export async function experimentSpec(read: ReadDocument): Promise<ExperimentSpec> {
  return parsed(Common, await read(commonKey), commonKey);
}

export async function instanceSpec(read: ReadDocument, instance: string): Promise<InstanceSpec> {
  const key = instanceKey(instance);
  return parsed(Instance, await read(key), key);
}

/** An arm by value. */
export async function armSpec(read: ReadDocument, name: string): Promise<ArmSpec> {
  const key = armKey(name);
  return parsed(Arm, await read(key), key);
}

/** The episode of a job: the arm's configuration with its seed and its recording. */
export async function episodeSpec(read: ReadDocument, job: EpisodeJob): Promise<EpisodeSpec> {
  const [{ modelBase }, instance, arm] = await Promise.all([
    experimentSpec(read),
    instanceSpec(read, job.instance),
    armSpec(read, job.arm),
  ]);
  const { model } = arm.config;
  const name = model.name === null ? null : modelNameOf(model.name, job, modelBase);
  const config = { ...arm.config, seed: job.seed, model: { ...model, name } };
  return { job, ...instance, config, prompts: arm.prompts };
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, key: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new PmcoderError(
    "usage",
    `The experiment's record of ${key} ${value === undefined ? "is missing" : "cannot be read"}: it was put there by another version of pmcoder. Update pmcoder on this host, and start \`pmcoder eval run\` again.`,
  );
}
