import { type FileMetaData, parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { PmcoderError } from "../domain/errors.ts";
import { DatasetRow, type RawRow, rowOfValue } from "./dataset-row.ts";

const magic = "PAR1";
const readable: readonly string[] = ["UNCOMPRESSED", "SNAPPY"];

/**
 * The rows of a Parquet file, as the dataset hubs publish them: plain or with snappy. Columns that
 * a row does not know are not decoded. Throws PmcoderError `usage` for another compression (naming
 * it) and for a file that is damaged or no Parquet at all.
 */
export async function rowsOfParquet(
  bytes: Uint8Array<ArrayBuffer>,
  origin: string,
): Promise<readonly RawRow[]> {
  const head = Buffer.from(bytes.subarray(0, 40)).toString("latin1");
  if (!head.startsWith(magic)) throw new PmcoderError("usage", noParquet(head, origin));
  const start = bytes.byteOffset;
  const file = bytes.buffer.slice(start, start + bytes.byteLength);
  try {
    const metadata = parquetMetadata(file);
    refuseCodecs(metadata, origin);
    const known = Object.keys(DatasetRow.shape);
    const columns = parquetSchema(metadata)
      .children.map(({ element }) => element.name)
      .filter((name) => known.includes(name));
    const rows = await parquetReadObjects({ file, metadata, columns });
    return rows.map((row, index) => rowOfValue(plain(row), `${origin}, row ${index + 1}`));
  } catch (error) {
    if (error instanceof PmcoderError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${origin} is damaged or cut short (${reason}). Fetch or copy it again.`;
    throw new PmcoderError("usage", message, { cause: error });
  }
}

function noParquet(head: string, origin: string): string {
  if (head.startsWith("version https://git-lfs")) {
    return `${origin} is a pointer of Git LFS, not the file: fetch it with \`git lfs pull\`.`;
  }
  return `${origin} is not a Parquet file: it does not begin with ${magic}. Fetch or copy it again.`;
}

function refuseCodecs({ row_groups }: FileMetaData, origin: string): void {
  const codecs = row_groups.flatMap(({ columns }) =>
    columns.map(({ meta_data }) => meta_data?.codec ?? "UNCOMPRESSED"),
  );
  const other = codecs.find((codec) => !readable.includes(codec));
  if (other === undefined) return;
  throw new PmcoderError(
    "usage",
    `${origin} is compressed with ${other}; Parquet is read plain or with SNAPPY. Write it again, for example in Python: pandas.read_parquet(FILE).to_parquet(FILE, compression="snappy").`,
  );
}

/** A value as JSON would have it: no BigInt, no Date. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
