import type { Peek } from "../../domain/peek.ts";
import type { EpisodeResult } from "../batch/episode-result.ts";
import type { GoldResult } from "../batch/gold-job.ts";
import type { Declaration } from "../experiment/declaration.ts";
import type { Experiment } from "../experiment/experiment.ts";

/** What the results were made with, beside pmcoder itself. */
export interface Workshop {
  readonly node: string;
  readonly platform: string;
  /** Version of the Docker engine; null: none was used. */
  readonly engine: string | null;
  /** Whose rules and parsers decide; null: nothing was graded while it ran. */
  readonly grader: string | null;
  /** Of the dataset, planned or not. */
  readonly rows: number;
  /** Malformed rows of the dataset, which are not among them. */
  readonly leftOut: number;
}

/** Everything that a report is made from: what an experiment's folder holds. */
export interface ReportSource {
  /** As the user named it. */
  readonly folder: string;
  /** Of pmcoder, at the newest start of the experiment. */
  readonly version: string;
  /** ISO time of the first start. */
  readonly created: string;
  /** null: it was not recorded. */
  readonly workshop: Workshop | null;
  readonly experiment: Experiment;
  readonly declaration: Declaration;
  /** Ids of all planned jobs. */
  readonly jobs: readonly string[];
  readonly results: readonly EpisodeResult[];
  /** SHA-256, hex, of the file with the results. */
  readonly sha256: string;
  /** What the grader said of the instances' own patches; empty: it was not asked. */
  readonly gold: readonly GoldResult[];
  /** Commands that looked at the future, by job, where they are listed. */
  readonly peeks: ReadonlyMap<string, readonly Peek[]>;
}
