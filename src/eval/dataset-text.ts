import { PmcoderError } from "../domain/errors.ts";
import { idOf, parseJson, type RawRow, rowOfValue } from "./dataset-row.ts";

/**
 * The rows of a text: JSON lines, or in a `.json` file an array, one row, or rows by id. `origin`
 * is the file's name. Throws PmcoderError `usage` when a `.json` file is not JSON.
 */
export function rowsOfText(content: string, origin: string): readonly RawRow[] {
  const body = content.replace(/^\ufeff/, "");
  if (origin.endsWith(".json") || /^\s*\[/.test(body)) return rowsOfDocument(body, origin);
  return body
    .split("\n")
    .flatMap((line, index) =>
      line.trim() === "" ? [] : [rowOfLine(line, `${origin}:${index + 1}`)],
    );
}

function rowOfLine(line: string, where: string): RawRow {
  return {
    where,
    seems: () => /"instance_id"\s*:\s*"([^"\\]+)"/.exec(line)?.[1] ?? null,
    mentions: (id) => line.includes(JSON.stringify(id)),
    value: () => readJson(line, where),
  };
}

function rowsOfDocument(body: string, origin: string): readonly RawRow[] {
  const document = readJson(body, origin);
  const one = idOf(document) !== undefined;
  const rows: readonly unknown[] = one ? [document] : Object.values(document ?? {});
  return rows.map((row, index) => rowOfValue(row, `${origin}, row ${index + 1}`));
}

function readJson(source: string, where: string): unknown {
  return parseJson(source, (reason) => {
    throw new PmcoderError("usage", `${where} is not JSON: ${reason}`);
  });
}
