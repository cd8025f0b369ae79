import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { PmcoderError } from "../domain/errors.ts";
import { readDataset } from "./dataset-file.ts";
import { parseJson } from "./dataset-row.ts";
import { type DownloadOptions, download } from "./fetch-download.ts";

/** Where SWE-bench Verified is published (swebench 5 names this repository, not princeton-nlp's). */
export const verifiedUrl =
  "https://huggingface.co/datasets/SWE-bench/SWE-bench_Verified/resolve/main/data/test-00000-of-00001.parquet";

const FetchRecord = z.object({
  url: z.string(),
  /** The commit of the hub's repository; null: not said. */
  revision: z.string().nullable(),
  sha256: z.string(),
  bytes: z.number(),
  /** Usable rows, and what is wrong with the others. */
  rows: z.number(),
  faults: z.array(z.string()),
  /** ISO time. */
  fetched: z.string(),
});
type FetchRecord = Readonly<z.infer<typeof FetchRecord>>;

export interface FetchOptions extends DownloadOptions {
  readonly url: string;
  /** The folder of the fetched datasets; made if missing. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface Fetched {
  readonly file: string;
  /** false: the file was there already, and nothing was asked of the network. */
  readonly isNew: boolean;
  /** null: the file was copied by hand. */
  readonly record: FetchRecord | null;
}

/**
 * Downloads SWE-bench Verified once, and notes beside it where it came from, with its checksum.
 * The file appears whole, and only after its rows were read. Throws PmcoderError `usage`, saying
 * how to bring the file without a network, and `storage` when it cannot be written.
 */
export async function fetchVerified(options: FetchOptions): Promise<Fetched> {
  const { url, folder, now } = options;
  const file = join(folder, "verified.parquet");
  const note = join(folder, "verified.source.json");
  if (existsSync(file)) return { file, isNew: false, record: await readRecord(note) };
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw storage(folder, cause);
  });
  const draft = join(folder, `.verified.${process.pid}.parquet`);
  try {
    const { bytes, sha256, revision } = await download(url, draft, options);
    const { rows, faults } = await readDataset(draft, "verified.parquet");
    if (rows.length === 0) throw new PmcoderError("usage", "It holds no usable row.");
    const fetched = new Date(now()).toISOString();
    const record = {
      url,
      revision,
      sha256,
      bytes,
      rows: rows.length,
      faults: [...faults],
      fetched,
    };
    await rename(draft, file);
    await writeFile(note, `${JSON.stringify(record, null, 2)}\n`).catch((cause: unknown) => {
      throw storage(note, cause);
    });
    return { file, isNew: true, record };
  } catch (error) {
    throw error instanceof PmcoderError && error.code === "usage"
      ? byHand(error, file, url)
      : error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readRecord(note: string): Promise<FetchRecord | null> {
  const text = await readFile(note, "utf8").catch(() => "");
  return FetchRecord.safeParse(parseJson(text, () => null)).data ?? null;
}

function byHand(error: PmcoderError, file: string, url: string): PmcoderError {
  return new PmcoderError(
    "usage",
    `SWE-bench Verified was not fetched: ${error.message}
Where there is a network: curl -L -o verified.parquet ${url}
Then copy it to ${file}; rows as JSON lines go to ${join(dirname(file), "verified.jsonl")}.`,
    { cause: error },
  );
}

function storage(path: string, cause: unknown): PmcoderError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `${path} cannot be written: ${reason}. Name another folder with XDG_DATA_HOME.`;
  return new PmcoderError("storage", message, { cause });
}
