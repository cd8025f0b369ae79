import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { RunConfig } from "../../domain/config/run-config.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type { ArmSpec, InstanceSpec } from "../../eval/batch/episode-spec.ts";
import { type Dataset, readDataset } from "../../eval/dataset-file.ts";
import { datasetsFolder, locateDataset } from "../../eval/dataset-place.ts";
import { repositoryOf } from "../../eval/dataset-repository.ts";
import type { Declaration } from "../../eval/experiment/declaration.ts";
import { type EpisodeJob, expand } from "../../eval/experiment/expand.ts";
import type { Experiment, ExperimentArm } from "../../eval/experiment/experiment.ts";
import { parseExperiment } from "../../eval/experiment/parse.ts";
import { parseSelection, type SelectionFlags } from "../../eval/experiment/select.ts";
import { layersOf } from "../../eval/experiment/settings.ts";
import { priceOfModel } from "../../models/open-model.ts";
import type { Io } from "../io.ts";
import { noModelMessage } from "../keys.ts";
import { mergeConfig } from "../merge-config.ts";
import { readKept } from "../repro-files.ts";
import { armFile } from "../run-plan.ts";
import { settingsOfFlags } from "../run-settings.ts";
import { type Setting, settingsOfYaml } from "../settings.ts";
import { experimentFile, ownArms, ownExperiments } from "./experiment-file.ts";

/** Flags that decide what is run, and with what. */
export interface PlanFlags extends SelectionFlags {
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly environment?: "docker" | "bubblewrap" | "local" | undefined;
  readonly allowUnknownCost?: true | undefined;
}

/** An experiment with everything that it is made of, read and checked; nothing is opened yet. */
export interface ExperimentPlan {
  readonly experiment: Experiment;
  /** Paths of recordings are relative to it. */
  readonly modelBase: string;
  readonly dataset: Dataset;
  readonly arms: ReadonlyMap<string, ArmSpec>;
  /** What was selected, in the order in which it is to run. */
  readonly jobs: readonly EpisodeJob[];
  /** The instances of these jobs. */
  readonly instances: ReadonlyMap<string, InstanceSpec>;
  readonly declaration: Declaration;
}

/** Reads an experiment file and all that it names. Throws PmcoderError `usage`. */
export async function planExperiment(
  file: string,
  flags: PlanFlags,
  io: Io,
): Promise<ExperimentPlan> {
  const { experiment, folder, dataset } = await readExperiment(file, io);
  const selection = parseSelection(flags, experiment);
  const own = flagSettings(flags);
  const arms = new Map(
    experiment.arms.map((arm) => [arm.name, armOf(experiment, arm, { folder, own, io })]),
  );
  for (const { config } of arms.values()) refuseUncounted(config);
  const ids = dataset.rows.map(({ instance_id }) => instance_id);
  const jobs = expand(experiment, ids, selection);
  return {
    experiment,
    modelBase: flags.model === undefined ? folder : io.cwd,
    dataset,
    arms,
    jobs,
    instances: await instancesOf(jobs, dataset, scriptFolders(arms, io)),
    declaration: {
      name: experiment.name,
      dataset: { origin: dataset.origin, sha256: dataset.sha256 },
      arms: Object.fromEntries([...arms].map(([name, { config }]) => [name, config])),
      grading: experiment.grading,
    },
  };
}

/** The experiment and its rows. Rows that are malformed are told and left out. */
async function readExperiment(file: string, io: Io) {
  const path = resolve(io.cwd, experimentFile(file));
  if (!existsSync(path)) {
    throw new PmcoderError(
      "usage",
      `${file}: there is no such file (${path}). Name an experiment's file, or one of pmcoder's own: ${ownExperiments().join(", ")}.`,
    );
  }
  const experiment = parseExperiment(readGiven(path, file), file);
  const folder = dirname(path);
  const datasets = datasetsFolder(io.env);
  const place = locateDataset(experiment.dataset, { base: folder, datasets });
  const dataset = await readDataset(place, experiment.dataset);
  for (const fault of dataset.faults) io.stderr.write(`left out: ${fault}\n`);
  return { experiment, folder, dataset };
}

const flagSettings = ({ model, baseUrl, environment, allowUnknownCost }: PlanFlags) =>
  settingsOfFlags({
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(environment === undefined ? {} : { environment }),
    ...(allowUnknownCost === undefined ? {} : { allowUnknownCost }),
  });

interface ArmSources {
  /** That of the experiment's file. */
  readonly folder: string;
  readonly own: readonly Setting[];
  readonly io: Io;
}

/** The arm by value: files of the user's that its settings name become texts. */
function armOf(experiment: Experiment, arm: ExperimentArm, { folder, own, io }: ArmSources) {
  const { before, from, after } = layersOf(experiment, arm);
  const { config } = mergeConfig([...before, ...settingsFrom(from, folder), ...after, ...own]);
  if (config.model.name === null) throw new PmcoderError("usage", noModelMessage(io.env));
  const { systemPrompt, taskPrompt } = config.agent;
  const { workDir } = config.environment;
  const { bank } = config.experience;
  const prompts = new Map(
    [systemPrompt, taskPrompt].flatMap((path) => {
      const text = path === null ? null : readGiven(resolve(folder, path), path);
      return text === null ? [] : [[path, { name: promptName(text), text }] as const];
    }),
  );
  const nameOf = (path: string | null) => prompts.get(path)?.name ?? null;
  return {
    config: {
      ...config,
      agent: {
        ...config.agent,
        systemPrompt: nameOf(systemPrompt),
        taskPrompt: nameOf(taskPrompt),
      },
      environment: {
        ...config.environment,
        workDir: workDir === null ? null : resolve(folder, workDir),
      },
      experience: { ...config.experience, bank: bank === null ? null : resolve(folder, bank) },
    },
    prompts: Object.fromEntries([...prompts.values()].map(({ name, text }) => [name, text])),
  };
}

function settingsFrom(from: string | null, folder: string): readonly Setting[] {
  if (from === null) return [];
  const path = armFile(from);
  const whole = resolve(folder, path);
  if (existsSync(whole)) return settingsOfYaml(readGiven(whole, from), from);
  throw new PmcoderError(
    "usage",
    `${from}: there is no such file (${whole}). Name an arm's file, or one of pmcoder's own: ${ownArms().join(", ")}.`,
  );
}

/** In the output folder; another text has another name, so that a change of it shows. */
function promptName(text: string): string {
  return `prompts/${createHash("sha256").update(text).digest("hex").slice(0, 16)}.md`;
}

/** An experiment whose money cannot be counted is not begun in silence. */
function refuseUncounted({ agent, model }: RunConfig): void {
  if (agent.allowUnknownCost || priceOfModel(model) !== null) return;
  throw new PmcoderError(
    "usage",
    `The price of ${model.name} is not known, so the caps of the experiment cannot be kept. Add --allow-unknown-cost to go on without them.`,
  );
}

/** Where reproduction scripts are kept, as a run of this folder would look for them. */
function scriptFolders(arms: ReadonlyMap<string, ArmSpec>, { cwd }: Io): readonly string[] {
  return [
    ...new Set([...arms.values()].map(({ config }) => resolve(cwd, config.grounding.scripts))),
  ];
}

async function instancesOf(
  jobs: readonly EpisodeJob[],
  { rows, folder }: Dataset,
  scripts: readonly string[],
): Promise<ReadonlyMap<string, InstanceSpec>> {
  const wanted = new Set(jobs.map(({ instance }) => instance));
  const instances = new Map<string, InstanceSpec>();
  for (const row of rows) {
    const { instance_id: id } = row;
    if (!wanted.has(id)) continue;
    const script = scripts.flatMap((one) => readKept(one, id) ?? [])[0] ?? null;
    instances.set(id, { row, repository: await repositoryOf(row, folder), script });
  }
  return instances;
}

function readGiven(path: string, shown: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const what = reason.startsWith("ENOENT") ? "there is no such file" : reason;
    throw new PmcoderError("usage", `${shown}: ${what} (${path}).`, { cause });
  }
}
