import { filesOf } from "../../agent/patch/headers.ts";
import { PmcoderError } from "../../domain/errors.ts";
import { plural } from "../../domain/quantities.ts";
import { readDataset } from "../../eval/dataset-file.ts";
import { datasetsFolder, locateDataset } from "../../eval/dataset-place.ts";
import type { DatasetRow } from "../../eval/dataset-row.ts";
import { isTest } from "../../experience/repomem/files.ts";
import type { Io } from "../io.ts";

/** Where a benchmark finds the repositories of its instances. */
export interface Sources {
  /** As in "an instance that has …". */
  readonly wanted: string;
  /** Why instances of these repositories are left out. */
  readonly missing: (repositories: readonly string[]) => string;
  readonly has: (repository: string) => boolean;
}

export interface ChosenRows {
  readonly rows: readonly DatasetRow[];
  /** Of the whole dataset. */
  readonly sha256: string;
}

/**
 * The rows that are asked for, whose repository is there, and whose gold patch changes more than
 * tests; people are told of the others. Rejects with PmcoderError `usage` when none is left.
 */
export async function chosenRows(
  { dataset, filter = "" }: { readonly dataset: string; readonly filter?: string | undefined },
  sources: Sources,
  io: Io,
): Promise<ChosenRows> {
  const path = locateDataset(dataset, { base: io.cwd, datasets: datasetsFolder(io.env) });
  const { rows, faults, sha256 } = await readDataset(path, dataset);
  const asked = regexOf(filter);
  const wanted = rows.filter(({ instance_id }) => asked.test(instance_id));
  const found = wanted.filter(({ repo }) => sources.has(repo));
  const usable = found.filter((row) => goldOf(row).length > 0);
  const note = (n: number, why: string) =>
    n > 0 &&
    io.stderr.write(`${plural(n, "instance")} ${n === 1 ? "is" : "are"} left out: ${why}\n`);
  for (const fault of faults) io.stderr.write(`left out: ${fault}\n`);
  const lost = wanted.filter(({ repo }) => !sources.has(repo)).map(({ repo }) => repo);
  note(lost.length, sources.missing([...new Set(lost)]));
  note(found.length - usable.length, "no gold patch that changes source.");
  if (usable.length > 0) return { rows: usable, sha256 };
  throw new PmcoderError(
    "usage",
    `No instance of ${dataset} fits --filter "${filter}" and has ${sources.wanted} and a gold patch.`,
  );
}

function regexOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (cause) {
    throw new PmcoderError("usage", `--filter ${text} is no regular expression.`, { cause });
  }
}

/** Files that the gold patch changes, tests left out. */
export const goldOf = ({ patch }: DatasetRow) =>
  filesOf(Buffer.from(patch ?? "")).filter((file) => !isTest(file));

/** An instance is named after the request that resolved it. */
export const numbersOf = ({ instance_id }: DatasetRow) =>
  /-(\d+)$/.exec(instance_id)?.slice(1) ?? [];
