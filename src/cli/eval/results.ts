import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EpisodeResult } from "../../eval/batch/episode-result.ts";
import { GoldResult } from "../../eval/batch/gold-job.ts";
import { runFolder, runIdOf } from "../../eval/experiment/expand.ts";
import { type Prediction, predictionsText } from "../../eval/grading/predictions.ts";
import { writeOutput, writeWhole } from "../../store/files.ts";
import { appendRecord, readRecords } from "../../store/record-file.ts";
import { storageError } from "../../store/storage-error.ts";
import { jobFolder } from "./places.ts";

const resultsIn = (folder: string) => join(folder, "results.jsonl");
const goldIn = (folder: string) => join(folder, "gold.jsonl");

/**
 * The results in an output folder by job, in the order of their first lines: of several lines for
 * one job the last counts. Throws PmcoderError `storage` when they cannot be read.
 */
export function readResults(folder: string): ReadonlyMap<string, EpisodeResult> {
  const rows = readRows(resultsIn(folder), EpisodeResult);
  return new Map(rows.map((row) => [row.job, row]));
}

/** What the grader said of the instances' own patches, by instance. */
export function readGold(folder: string): ReadonlyMap<string, GoldResult> {
  return new Map(readRows(goldIn(folder), GoldResult).map((row) => [row.instance, row]));
}

interface Schema<T> {
  parse(value: unknown): T;
}

/** A line that a killed process left half is no row: what it was about is done again. */
function readRows<T>(file: string, schema: Schema<T>): readonly T[] {
  return readRecords(file).records.map((record) => {
    try {
      return schema.parse(record);
    } catch (error) {
      throw storageError(file, "read", error);
    }
  });
}

/** Adds a result; it replaces an earlier one of the same job. */
export function addResult(folder: string, result: EpisodeResult): void {
  appendRecord(resultsIn(folder), result);
}

/** Adds what the grader said of an instance's own patch. */
export function addGold(folder: string, result: GoldResult): void {
  appendRecord(goldIn(folder), result);
}

/** Replaces all results, one line a job. */
export function writeResults(folder: string, results: Iterable<EpisodeResult>): void {
  const lines = [...results].map((result) => `${JSON.stringify(result)}\n`);
  writeWhole(resultsIn(folder), lines.join(""));
}

/** The results of an output folder and the predictions made of them, as they come in. */
export class ResultsFolder {
  readonly #folder: string;
  readonly #name: string;
  readonly #results: Map<string, EpisodeResult>;
  /** By arm and seed, then by instance: the text of the patch. */
  readonly #patches = new Map<string, Map<string, string>>();

  /** `name`: of the experiment, for the graders' run ids. */
  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
    this.#results = new Map(readResults(folder));
    for (const result of this.#results.values()) this.#predict(result, this.#patchOf(result));
    for (const { arm, seed } of firstOfEach(this.#results.values())) this.#writeOf(arm, seed);
  }

  get results(): ReadonlyMap<string, EpisodeResult> {
    return this.#results;
  }

  /** Keeps a result, and the predictions of its arm and seed with it. */
  add(result: EpisodeResult, patch: string): void {
    const { job, arm, seed, givenUp } = result;
    const folder = jobFolder(this.#folder, result);
    if (!givenUp && !existsSync(join(folder, "patch.diff")))
      writeOutput(folder, "patch.diff", patch);
    addResult(this.#folder, result);
    this.#results.set(job, result);
    this.#predict(result, patch);
    if (!givenUp) this.#writeOf(arm, seed);
  }

  addGold(result: GoldResult): void {
    addGold(this.#folder, result);
  }

  /** Leaves one line a job, in this order; those of other jobs come first. */
  arrange(jobs: readonly string[]): void {
    const inOrder = jobs.flatMap((job) => this.#results.get(job) ?? []);
    const known = new Set(jobs);
    const others = [...this.#results.values()].filter(({ job }) => !known.has(job));
    writeResults(this.#folder, [...others, ...inOrder]);
  }

  #patchOf(result: EpisodeResult): string {
    const file = join(jobFolder(this.#folder, result), "patch.diff");
    if (result.givenUp || !existsSync(file)) return "";
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      throw storageError(file, "read", error);
    }
  }

  /** A job that was given up has no prediction: to a grader it is incomplete. */
  #predict({ arm, seed, instance, givenUp }: EpisodeResult, patch: string): void {
    if (givenUp) return;
    const run = runFolder(arm, seed);
    const patches = this.#patches.get(run) ?? new Map<string, string>();
    this.#patches.set(run, patches.set(instance, patch));
  }

  #writeOf(arm: string, seed: number): void {
    const run = runFolder(arm, seed);
    const model = runIdOf({ name: this.#name }, arm, seed);
    const predictions: readonly Prediction[] = [...(this.#patches.get(run) ?? [])]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([instance_id, model_patch]) => ({
        instance_id,
        model_name_or_path: model,
        model_patch,
      }));
    writeWhole(join(this.#folder, run, "preds.json"), predictionsText(predictions));
  }
}

function firstOfEach(results: Iterable<EpisodeResult>): readonly EpisodeResult[] {
  const counted = [...results].filter(({ givenUp }) => !givenUp);
  return [...new Map(counted.map((one) => [runFolder(one.arm, one.seed), one])).values()];
}
