import { z } from "zod";
import { PmcoderError } from "../domain/errors.ts";
import { editDistance, nearest } from "../domain/nearest.ts";

const text = z.string("must be text").nullable().default(null);
const textOrNumber = z
  .union([z.string(), z.number().transform(String)], "must be text")
  .nullable()
  .default(null);

/** Test names as a JSON array, or, as the published rows have them, as the JSON text of one. */
const testNames = z.preprocess(
  (value) => (typeof value === "string" ? parseJson(value, () => value) : value),
  z
    .array(
      z.string("must be text"),
      "must be a list of test names, as a JSON array or the text of one",
    )
    .nullable()
    .default(null),
);

/**
 * One SWE-bench row. Only what a run needs is required; what is not given is null, so that grading
 * can tell "no tests" from "not said". Other fields are dropped.
 */
export const DatasetRow = z.object({
  /** Becomes file and image names, so it holds no separator and no blank. */
  instance_id: z
    .string("must be text")
    .regex(/^[^\s/\\.][^\s/\\]*$/, "must be a name without blanks and slashes"),
  repo: z.string("must be text").min(1, "is empty"),
  base_commit: z.string("must be text").min(1, "is empty"),
  problem_statement: z.string("must be text").regex(/\S/, "is empty"),
  patch: text,
  test_patch: text,
  FAIL_TO_PASS: testNames,
  PASS_TO_PASS: testNames,
  version: textOrNumber,
  hints_text: text,
  created_at: textOrNumber,
  environment_setup_commit: text,
  difficulty: text,
  image: text,
  image_name: text,
  docker_image: text,
  eval_script: text,
  eval_type: text,
  log_parser: text,
});
export type DatasetRow = Readonly<z.infer<typeof DatasetRow>>;

/** A row that is not parsed yet. */
interface RawRow {
  /** `FILE:LINE` in JSON lines, `FILE, row N` in a JSON document. */
  readonly where: string;
  /** Whether the row can be that instance's; false is certain. */
  mentions(instanceId: string): boolean;
  /** Throws PmcoderError `usage` when it is not JSON. */
  value(): unknown;
}

/**
 * Every row of a dataset: JSON lines, or in a `.json` file an array, one row, or rows by id.
 * `origin` is the file's name. Throws one PmcoderError `usage` that names the malformed rows by
 * line and field, and instances that stand there twice.
 */
export function parseDataset(content: string, origin: string): readonly DatasetRow[] {
  const rows: DatasetRow[] = [];
  const faults: string[] = [];
  const seen = new Map<string, string>();
  for (const raw of rawRows(content, origin)) {
    try {
      const row = check(raw.value(), raw.where);
      const first = seen.get(row.instance_id);
      if (first) faults.push(`${raw.where}: ${row.instance_id} stands in ${first} already`);
      seen.set(row.instance_id, raw.where);
      rows.push(row);
    } catch (error) {
      if (!(error instanceof PmcoderError)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length === 0) return rows;
  const more = faults.length > 5 ? [`and ${faults.length - 5} more`] : [];
  throw new PmcoderError("usage", [...faults.slice(0, 5), ...more].join("\n"));
}

/**
 * One row by its instance id, without parsing the others. Throws PmcoderError `usage` when the row
 * is malformed (naming line and field) or is not there (naming the nearest ids).
 */
export function findRow(content: string, origin: string, instanceId: string): DatasetRow {
  let broken: PmcoderError | null = null;
  for (const raw of rawRows(content, origin)) {
    if (!raw.mentions(instanceId)) continue;
    try {
      const value = raw.value();
      if (idOf(value) === instanceId) return check(value, raw.where);
    } catch (error) {
      if (!(error instanceof PmcoderError)) throw error;
      broken ??= error;
    }
  }
  throw broken ?? unknownInstance(content, origin, instanceId);
}

function rawRows(content: string, origin: string): readonly RawRow[] {
  const body = content.replace(/^\ufeff/, "");
  if (origin.endsWith(".json") || /^\s*\[/.test(body)) return rowsOfDocument(body, origin);
  return body.split("\n").flatMap((line, index) => {
    const where = `${origin}:${index + 1}`;
    const mentions = (id: string) => line.includes(JSON.stringify(id));
    return line.trim() === "" ? [] : [{ where, mentions, value: () => readJson(line, where) }];
  });
}

function rowsOfDocument(body: string, origin: string): readonly RawRow[] {
  const document = readJson(body, origin);
  const one = idOf(document) !== undefined;
  const rows: readonly unknown[] = one ? [document] : Object.values(document ?? {});
  return rows.map((row, index) => ({
    where: `${origin}, row ${index + 1}`,
    mentions: (id) => idOf(row) === id,
    value: () => row,
  }));
}

function readJson(line: string, where: string): unknown {
  return parseJson(line, (reason) => {
    throw new PmcoderError("usage", `${where} is not JSON: ${reason}`);
  });
}

function parseJson(source: string, otherwise: (reason: string) => unknown): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    return otherwise(error instanceof Error ? error.message : String(error));
  }
}

function idOf(value: unknown): unknown {
  return value instanceof Object ? Reflect.get(value, "instance_id") : undefined;
}

function check(value: unknown, where: string): DatasetRow {
  const result = DatasetRow.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => {
    const [field] = path;
    if (field === undefined) return "the row must be a JSON object";
    const missing = value instanceof Object && !Object.hasOwn(value, field);
    return `${path.join(".")} ${missing ? "is missing" : message}`;
  });
  const name = idOf(value);
  const row = typeof name === "string" ? ` (${name})` : "";
  throw new PmcoderError("usage", `${where}${row}: ${faults.join("; ")}`);
}

function unknownInstance(content: string, origin: string, instanceId: string): PmcoderError {
  const ids = [...content.matchAll(/"instance_id"\s*:\s*"([^"\\]+)"/g)].map(([, id = ""]) => id);
  const near = nearest(instanceId, ids, { count: 3, within: Number.POSITIVE_INFINITY, distance });
  // Rows without a single id are no rows of instances: the first says what it lacks.
  const [first] = near.length > 0 ? [] : rawRows(content, origin);
  if (first) check(first.value(), first.where);
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
