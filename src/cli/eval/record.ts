import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { RunConfig } from "../../domain/config/run-config.ts";
import { PmcoderError } from "../../domain/errors.ts";
import { changesOf, type Declaration } from "../../eval/experiment/declaration.ts";
import { Experiment } from "../../eval/experiment/experiment.ts";
import { writeWhole } from "../../store/files.ts";
import { storageError } from "../../store/storage-error.ts";
import { version } from "../version.ts";
import type { ExperimentPlan } from "./plan.ts";

const format = "pmcoder-experiment-1";

const stores = ["sqlite", "postgres"] as const;
export type StoreKind = (typeof stores)[number];

/** `experiment.json`: what the results of an output folder are results of. */
const ExperimentRecord = z.object({
  format: z.literal(format),
  /** Its name among all experiments: that of its queue, and the beginning of its runs' ids. */
  key: z.string(),
  /** ISO time of the first start. */
  created: z.string(),
  /** Of pmcoder, at the newest start. */
  version: z.string(),
  store: z.enum(stores),
  experiment: Experiment,
  declaration: z.object({
    name: z.string(),
    dataset: z.object({ origin: z.string(), sha256: z.string() }),
    arms: z.record(z.string(), RunConfig),
    grading: Experiment.shape.grading,
  }),
  /** Absolute path of the dataset, as it was read at the newest start. */
  dataset: z.string(),
  /** Ids of all jobs that were ever selected, in the order in which they are to run. */
  jobs: z.array(z.string()),
});
export type ExperimentRecord = Readonly<z.infer<typeof ExperimentRecord>>;

const fileIn = (folder: string) => join(folder, "experiment.json");

/** The record of an output folder; null: there is none. Throws PmcoderError `storage`. */
function findRecord(folder: string): ExperimentRecord | null {
  const file = fileIn(folder);
  if (!existsSync(file)) return null;
  try {
    return ExperimentRecord.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw storageError(file, "read", error);
  }
}

/** The record of a folder with results. Throws PmcoderError `usage` when it is none. */
export function readRecord(folder: string): ExperimentRecord {
  const record = findRecord(folder);
  if (record !== null) return record;
  throw new PmcoderError(
    "usage",
    `${folder} holds no experiment: expected the folder that was given to pmcoder eval run as --output.`,
  );
}

type Recorded = Pick<ExperimentPlan, "experiment" | "declaration" | "dataset" | "jobs">;

/**
 * The record of a folder that is to hold an experiment's results, or that of one that goes on there;
 * not written yet. Throws PmcoderError `usage` when the folder holds the results of another
 * declaration, naming each difference.
 */
export function recordFor(
  folder: string,
  { experiment, declaration, dataset, jobs }: Recorded,
  store: StoreKind,
  now: number,
): ExperimentRecord {
  const before = findRecord(folder);
  if (before !== null) refuseOther(folder, before, declaration, store);
  const selected = jobs.map(({ id }) => id);
  return {
    format,
    key: before?.key ?? `${experiment.name.slice(0, 30)}-${randomBytes(4).toString("hex")}`,
    created: before?.created ?? new Date(now).toISOString(),
    version,
    store,
    experiment,
    declaration: {
      ...declaration,
      arms: { ...before?.declaration.arms, ...declaration.arms },
    },
    dataset: dataset.path,
    jobs: united(before?.jobs ?? [], selected),
  };
}

export function writeRecord(folder: string, record: ExperimentRecord): void {
  writeWhole(fileIn(folder), `${JSON.stringify(record, null, 2)}\n`);
}

/** Those of both: in the new order, and those of the old that the new lacks before them. */
function united(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(after);
  return [...before.filter((id) => !known.has(id)), ...after];
}

function refuseOther(
  folder: string,
  before: ExperimentRecord,
  declaration: Declaration,
  store: StoreKind,
): void {
  const changes = changesOf(before.declaration, declaration);
  if (changes.length > 0) {
    throw new PmcoderError(
      "usage",
      [
        `${folder} holds results of another declaration, and they must not be mixed:`,
        ...changes.map((change) => `  ${change}`),
        "Undo that, or give another --output.",
      ].join("\n"),
    );
  }
  if (before.store === store) return;
  throw new PmcoderError(
    "usage",
    before.store === "postgres"
      ? `${folder} was begun with a PostgreSQL store: name it again with --store postgres://…`
      : `${folder} was begun without --store: go on without it, or give another --output.`,
  );
}
