import { resolve } from "node:path";
import { PmcoderError } from "../../domain/errors.ts";
import type { Grading } from "../../eval/batch/grader.ts";
import { type Dataset, readDataset } from "../../eval/dataset-file.ts";
import { datasetsFolder, locateDataset } from "../../eval/dataset-place.ts";
import { repositoryOf } from "../../eval/dataset-repository.ts";
import type { DatasetRow } from "../../eval/dataset-row.ts";
import type { Generation } from "../../eval/grading/log-parsers.ts";
import { type Prediction, readPredictions } from "../../eval/grading/predictions.ts";
import type { Io } from "../io.ts";
import { textOf } from "../replay.ts";
import type { EvalGradeFlags } from "./grade-command.ts";

export interface GradedInstance {
  readonly row: DatasetRow;
  /** Absolute path of its bundled repository; null: its image has it. */
  readonly repository: string | null;
}

/** Predictions of one model under one run id. */
export interface GradedModel {
  readonly runId: string;
  readonly model: string;
  readonly predictions: readonly Prediction[];
}

export interface TimedGrading extends Grading {
  readonly seconds: number;
}

/** What is to be graded, and where what comes of it goes. */
export interface GradingSource {
  /** Of logs and reports. */
  readonly folder: string;
  /** Every instance of the data set or of the experiment, in order. */
  readonly instances: ReadonlyMap<string, GradedInstance>;
  readonly models: readonly GradedModel[];
  readonly goldRunId: string;
  readonly generation: Generation;
  readonly timeoutSec: number;
  /** How often a grading that came to no verdict is started again. */
  readonly retries: number;
  /** What is known of a prediction that was graded elsewhere under the same rules; null: nothing. */
  readonly known: (model: GradedModel, instance: string) => TimedGrading | null;
  /** Takes the grading of a prediction, new or known. */
  readonly keep: (model: GradedModel, instance: string, grading: TimedGrading) => void;
  /** Takes that of an instance's own patch. */
  readonly keepGold: (instance: string, grading: TimedGrading) => void;
}

/** The dataset that a flag names. Malformed rows are told and left out. */
export async function datasetAt(given: string, { cwd, env, stderr }: Io): Promise<Dataset> {
  const place = locateDataset(given, { base: cwd, datasets: datasetsFolder(env) });
  const dataset = await readDataset(place, given);
  for (const fault of dataset.faults) stderr.write(`left out: ${fault}\n`);
  return dataset;
}

/** The instances of a dataset, or those of them that are wanted. */
export async function instancesOf(
  { rows, folder }: Dataset,
  isWanted: (id: string) => boolean = () => true,
): Promise<ReadonlyMap<string, GradedInstance>> {
  const wanted = rows.filter(({ instance_id: id }) => isWanted(id));
  const entries = wanted.map(
    async (row) => [row.instance_id, { row, repository: await repositoryOf(row, folder) }] as const,
  );
  return new Map(await Promise.all(entries));
}

/** Predictions of any agent, or none for the check of the grader alone. Throws PmcoderError `usage`. */
export async function predictionsSource(flags: EvalGradeFlags, io: Io): Promise<GradingSource> {
  const { predictions: file, dataset, output, runId = "pmcoder", gold } = flags;
  if (dataset === undefined || output === undefined || (file === undefined && !gold)) {
    throw new PmcoderError(
      "usage",
      "Give the output folder of an experiment, or --predictions FILE (or --gold) with --dataset FILE and --output DIR.",
    );
  }
  const predictions = file === undefined ? [] : readPredictions(textOf(file, io.cwd), file);
  const instances = await instancesOf(await datasetAt(dataset, io));
  refuseStrangers(predictions, instances, dataset);
  const models = [...new Set(predictions.map((one) => one.model_name_or_path))];
  return {
    folder: resolve(io.cwd, output),
    instances,
    models: models.map((model) => ({
      runId,
      model,
      predictions: predictions.filter((one) => one.model_name_or_path === model),
    })),
    goldRunId: "gold",
    generation: flags.generation ?? "v5",
    timeoutSec: flags.timeout ?? 1800,
    retries: 1,
    known: () => null,
    keep: () => {},
    keepGold: () => {},
  };
}

function refuseStrangers(
  predictions: readonly Prediction[],
  instances: ReadonlyMap<string, unknown>,
  dataset: string,
): void {
  const strangers = predictions.filter(({ instance_id: id }) => !instances.has(id));
  if (strangers.length === 0) return;
  const named = strangers.slice(0, 3).map(({ instance_id: id }) => id);
  throw new PmcoderError(
    "usage",
    `${dataset} has no ${named.join(", ")}, for which there are predictions; give the dataset that they were made for, or leave them out.`,
  );
}
