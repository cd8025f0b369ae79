import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import { type CheckedRows, checkRows, findRow } from "./dataset.ts";
import type { DatasetRow, RawRow } from "./dataset-row.ts";
import { rowsOfTasks } from "./dataset-tasks.ts";
import { rowsOfText } from "./dataset-text.ts";

/** The whole of a dataset, from a file or a folder. */
export interface Dataset extends CheckedRows {
  /** Its name in messages and reports. */
  readonly origin: string;
  /** Where it was read from. */
  readonly path: string;
  /** The folder that it stands in, to which the rows' `repository` is relative. */
  readonly folder: string;
  /** SHA-256, hex, of its well-formed rows: the same for the same rows in any format. */
  readonly sha256: string;
}

/**
 * Reads a dataset: JSON lines, JSON, Parquet, or a SWE-bench 5 task repository (`FOLDER#DATASET`
 * for one of the datasets that it publishes). `origin` is what the user called it. Malformed rows
 * are told in `faults`. Throws PmcoderError `usage` when nothing can be read.
 */
export async function readDataset(path: string, origin: string): Promise<Dataset> {
  const { raw, folder } = await open(path, origin);
  const { rows, faults } = checkRows(raw);
  const sha256 = createHash("sha256").update(JSON.stringify(rows)).digest("hex");
  return { origin, path, folder, rows, faults, sha256 };
}

/** One row of such a dataset. Throws PmcoderError `usage`, naming the nearest instances. */
export async function readRow(
  path: string,
  origin: string,
  instanceId: string,
): Promise<DatasetRow> {
  const { raw } = await open(path, origin);
  return findRow(raw, origin, instanceId);
}

interface Opened {
  readonly raw: readonly RawRow[];
  readonly folder: string;
}

async function open(path: string, origin: string): Promise<Opened> {
  const whole = await stat(path).catch(() => null);
  const [, before = path, part = null] = whole ? [] : (/^(.+)#([^#]+)$/.exec(path) ?? []);
  try {
    const found = whole ?? (await stat(before));
    if (found.isDirectory()) return { raw: rowsOfTasks(before, origin, part), folder: before };
    return { raw: await rowsOfFile(path, origin), folder: dirname(path) };
  } catch (error) {
    throw unreadable(error, origin);
  }
}

async function rowsOfFile(path: string, origin: string): Promise<readonly RawRow[]> {
  const bytes = await readFile(path);
  if (bytes.toString("latin1", 0, 4) === "PAR1" || /\.parquet$/i.test(path)) {
    const { rowsOfParquet } = await import("./dataset-parquet.ts");
    return rowsOfParquet(bytes, origin);
  }
  if (!bytes.includes(0)) return rowsOfText(bytes.toString("utf8"), origin);
  throw new PmcoderError(
    "usage",
    `The dataset ${origin} is neither text nor Parquet; give a .jsonl, .json or .parquet file.`,
  );
}

function unreadable(error: unknown, origin: string): PmcoderError {
  if (error instanceof PmcoderError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const missing = reason.startsWith("ENOENT");
  const message = missing
    ? `The dataset ${origin}: there is no such file or folder.`
    : `The dataset ${origin} cannot be read: ${reason}`;
  return new PmcoderError("usage", message, { cause: error });
}
