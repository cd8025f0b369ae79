import type { z } from "zod";
import { PmcoderError } from "../domain/errors.ts";

/**
 * The rows of a file beside trajectories: a JSON array, or JSON lines. Fields that the schema does
 * not name are dropped. Throws PmcoderError `usage` naming the file, the row and what is wrong.
 */
export function parseRows<Schema extends z.ZodType>(
  schema: Schema,
  content: string,
  origin: string,
): readonly z.infer<Schema>[] {
  return rawRows(content.replace(/^\uFEFF/, ""), origin).map(({ value, where }) => {
    const row = schema.safeParse(value);
    if (row.success) return row.data;
    throw new PmcoderError("usage", `${where}: ${faults(row.error)}.`);
  });
}

interface RawRow {
  readonly value: unknown;
  readonly where: string;
}

function rawRows(content: string, origin: string): readonly RawRow[] {
  if (/^\s*\[/.test(content)) {
    const document = parseJson(content, origin);
    const rows: readonly unknown[] = Array.isArray(document) ? document : [];
    return rows.map((value, index) => ({ value, where: `${origin}, row ${index + 1}` }));
  }
  return content.split("\n").flatMap((line, index) => {
    const where = `${origin}, line ${index + 1}`;
    return line.trim() === "" ? [] : [{ value: parseJson(line, where), where }];
  });
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PmcoderError("usage", `${where}: expected JSON.`, { cause });
  }
}

function faults({ issues }: z.ZodError): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
}
