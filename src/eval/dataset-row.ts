import { z } from "zod";
import { PmcoderError } from "../domain/errors.ts";

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
 * One SWE-bench row, of version 4 or 5. Only what a run needs is required; what is not given is
 * null, so that grading can tell "no tests" from "not said". Other fields are dropped.
 */
export const DatasetRow = z.object({
  /** Becomes file and image names, so it holds no separator and no blank. */
  instance_id: z
    .string("must be text")
    .regex(/^[^\s/\\.\p{Cc}][^\s/\\\p{Cc}]*$/u, "must be a name without blanks and slashes"),
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
  /**
   * A field of our own: the folder, relative to the dataset's, with the repository as it is before
   * the fix. Such an instance needs no image.
   */
  repository: text,
});
export type DatasetRow = Readonly<z.infer<typeof DatasetRow>>;

/** A row that is not checked yet, and perhaps not even parsed. */
export interface RawRow {
  /** `FILE:LINE` in JSON lines, else `FILE, row N`, or the folder of a task. */
  readonly where: string;
  /** The instance it seems to be, found without parsing; null: none is seen. */
  seems(): string | null;
  /** Whether the row can be that instance's; false is certain. */
  mentions(instanceId: string): boolean;
  /** Throws PmcoderError `usage` when it cannot be read. */
  value(): unknown;
}

/** A row that is at hand as a value. */
export function rowOfValue(value: unknown, where: string): RawRow {
  const id = idOf(value);
  return {
    where,
    seems: () => (typeof id === "string" ? id : null),
    mentions: (other) => id === other,
    value: () => value,
  };
}

/** The value as a row. Throws PmcoderError `usage` that names where it stands and each wrong field. */
export function checkRow(value: unknown, where: string): DatasetRow {
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

export function idOf(value: unknown): unknown {
  return value instanceof Object ? Reflect.get(value, "instance_id") : undefined;
}

/** What a JSON text says, or what `otherwise` makes of the reason why it says nothing. */
export function parseJson(source: string, otherwise: (reason: string) => unknown): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    return otherwise(error instanceof Error ? error.message : String(error));
  }
}
