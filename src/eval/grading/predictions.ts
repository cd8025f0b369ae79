import { z } from "zod";
import { PmcoderError } from "../../domain/errors.ts";
import { parseRows } from "../replay-rows.ts";

const PredictionRow = z.object({
  instance_id: z.string().min(1),
  model_name_or_path: z.string().min(1),
  model_patch: z.string().nullable().default(null),
});

/** What was submitted for an instance, in the official names; an empty patch is never run. */
export interface Prediction {
  readonly instance_id: string;
  readonly model_name_or_path: string;
  readonly model_patch: string;
}

/** No patch and a blank one are the empty one: to `git apply` a blank file is an error. */
export function normalPatch(patch: string | null): string {
  return patch !== null && /\S/.test(patch) ? patch : "";
}

/**
 * The predictions of a file: JSON lines, a JSON array, or in a `.json` file an object by instance.
 * Throws PmcoderError `usage` that names what is malformed, or an instance that stands there twice.
 */
export function readPredictions(content: string, origin: string): readonly Prediction[] {
  const rows = parseRows(PredictionRow, asRows(content, origin), origin);
  const seen = new Set<string>();
  for (const { instance_id } of rows) {
    if (seen.has(instance_id)) {
      throw new PmcoderError(
        "usage",
        `${origin} has two predictions for ${instance_id}; keep one.`,
      );
    }
    seen.add(instance_id);
  }
  return rows.map((row) => ({ ...row, model_patch: normalPatch(row.model_patch) }));
}

/** An object of predictions by instance as the array of them; anything else as it is. */
function asRows(content: string, origin: string): string {
  if (!origin.endsWith(".json") || !/^\s*\{/.test(content)) return content;
  try {
    const document: unknown = JSON.parse(content);
    return JSON.stringify(Object.values(document ?? {}));
  } catch (cause) {
    throw new PmcoderError("usage", `${origin}: expected JSON.`, { cause });
  }
}

/** The text of `preds.json`, an object by instance, blank patches made empty. */
export function predictionsText(predictions: readonly Prediction[]): string {
  const rows = predictions.map(({ instance_id, model_name_or_path, model_patch }) => [
    instance_id,
    { model_name_or_path, instance_id, model_patch: normalPatch(model_patch) },
  ]);
  return `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`;
}
