import { PmcoderError } from "../domain/errors.ts";
import { editDistance, nearest } from "../domain/nearest.ts";
import { checkRow, type DatasetRow, idOf, type RawRow } from "./dataset-row.ts";

export interface CheckedRows {
  /** In the order of the dataset, each instance once. */
  readonly rows: readonly DatasetRow[];
  /** One sentence for each row that is left out: where it stands and what is wrong with it. */
  readonly faults: readonly string[];
}

/** Every row that is well-formed, and what is wrong with the others. */
export function checkRows(raw: readonly RawRow[]): CheckedRows {
  const rows: DatasetRow[] = [];
  const faults: string[] = [];
  const seen = new Map<string, string>();
  for (const one of raw) {
    const row = checked(one);
    const first = typeof row === "string" ? undefined : seen.get(row.instance_id);
    if (typeof row === "string") faults.push(row);
    else if (first) faults.push(`${one.where}: ${row.instance_id} stands in ${first} already`);
    else {
      seen.set(row.instance_id, one.where);
      rows.push(row);
    }
  }
  return { rows, faults };
}

/** The row, or what is wrong with it. */
function checked({ value, where }: RawRow): DatasetRow | string {
  try {
    return checkRow(value(), where);
  } catch (error) {
    if (error instanceof PmcoderError) return error.message;
    throw error;
  }
}

/**
 * One row by its instance id, without parsing the others. Throws PmcoderError `usage` when the row
 * is malformed (naming where it stands and the fields) or is not there (naming the nearest ids).
 */
export function findRow(raw: readonly RawRow[], origin: string, instanceId: string): DatasetRow {
  let broken: PmcoderError | null = null;
  for (const one of raw) {
    if (!one.mentions(instanceId)) continue;
    try {
      const value = one.value();
      if (idOf(value) === instanceId) return checkRow(value, one.where);
    } catch (error) {
      if (!(error instanceof PmcoderError)) throw error;
      broken ??= error;
    }
  }
  throw broken ?? unknownInstance(raw, origin, instanceId);
}

function unknownInstance(raw: readonly RawRow[], origin: string, instanceId: string): PmcoderError {
  const ids = raw.flatMap((row) => row.seems() ?? []);
  const near = nearest(instanceId, ids, { count: 3, within: Number.POSITIVE_INFINITY, distance });
  // Rows without a single id are no rows of instances: the first says what it lacks.
  const [first] = near.length > 0 ? [] : raw;
  if (first) checkRow(first.value(), first.where);
  const advice =
    near.length > 0
      ? `the nearest of its ${ids.length} are ${near.join(", ")}`
      : "it holds no rows";
  return new PmcoderError("usage", `${origin} has no instance "${instanceId}"; ${advice}.`);
}

/** A part of an id, such as its number alone, is nearer than any typing error. */
function distance(word: string, id: string): number {
  return id.includes(word) ? 0 : editDistance(word, id);
}
