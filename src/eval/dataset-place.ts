import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { PmcoderError } from "../domain/errors.ts";

interface Env {
  readonly HOME?: string | undefined;
  readonly XDG_DATA_HOME?: string | undefined;
}

/** Where fetched datasets are kept: `$XDG_DATA_HOME/pmcoder/datasets` (XDG base directories). */
export function datasetsFolder({ XDG_DATA_HOME = "", HOME }: Env): string {
  const share = isAbsolute(XDG_DATA_HOME)
    ? XDG_DATA_HOME
    : join(HOME || homedir(), ".local", "share");
  return join(share, "pmcoder", "datasets");
}

/** The forms in which a dataset may lie there; the first one found is read. */
const forms = [".parquet", ".jsonl", ".json", ""];

/** Datasets that `pmcoder eval fetch` knows how to get. */
const fetched = ["verified"];

export interface DatasetPlaces {
  /** What a path is relative to. */
  readonly base: string;
  /** The folder of the fetched datasets. */
  readonly datasets: string;
}

/**
 * The path of a dataset: a name without a dot and a slash may be a fetched one, everything else is
 * a path. Throws PmcoderError `usage`, saying how to get it, for a known name that is not there.
 */
export function locateDataset(dataset: string, { base, datasets }: DatasetPlaces): string {
  const path = resolve(base, dataset);
  if (/[./\\]/.test(dataset) || existsSync(path)) return path;
  const kept = forms.map((form) => join(datasets, `${dataset}${form}`)).find(existsSync);
  if (kept !== undefined || !fetched.includes(dataset)) return kept ?? path;
  throw new PmcoderError(
    "usage",
    `The dataset ${dataset} is not on this machine. Get it with \`pmcoder eval fetch ${dataset}\`, or copy a file with its rows to ${join(datasets, `${dataset}.parquet`)} (or .jsonl, .json).`,
  );
}
