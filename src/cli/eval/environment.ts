import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Engine } from "../../environments/docker-engine.ts";
import type { ImageRecord } from "../../eval/batch/episode-result.ts";
import { writeWhole } from "../../store/files.ts";
import { storageError } from "../../store/storage-error.ts";
import { version } from "../version.ts";

/** `environment.json`: what the results were made with. */
const EnvironmentRecord = z.object({
  pmcoder: z.string(),
  node: z.string(),
  platform: z.string(),
  host: z.string(),
  /** Version of the Docker engine; null: none was used here. */
  engine: z.string().nullable(),
  /** Whose rules and parsers decide; null: nothing is graded yet. */
  grader: z.string().nullable(),
  dataset: z.object({
    origin: z.string(),
    sha256: z.string(),
    rows: z.int(),
    /** Rows that are malformed, and in no count. */
    leftOut: z.int().default(0),
  }),
  /** By name, everything that the name stood for, newest last: more than one is worth a look. */
  images: z.record(
    z.string(),
    z.array(z.object({ id: z.string(), digest: z.string().nullable() })),
  ),
});
export type EnvironmentRecord = Readonly<z.infer<typeof EnvironmentRecord>>;

const fileIn = (folder: string) => join(folder, "environment.json");

/** The record of an output folder; null: there is none. Throws PmcoderError `storage`. */
export function readEnvironment(folder: string): EnvironmentRecord | null {
  const file = fileIn(folder);
  if (!existsSync(file)) return null;
  try {
    return EnvironmentRecord.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw storageError(file, "read", error);
  }
}

/** Keeps the record of an output folder; images of earlier starts stay in it. */
export class EnvironmentFile {
  readonly #folder: string;
  #record: EnvironmentRecord;

  constructor(folder: string, now: Pick<EnvironmentRecord, "engine" | "grader" | "dataset">) {
    this.#folder = folder;
    this.#record = {
      pmcoder: version,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      host: hostname(),
      ...now,
      images: readEnvironment(folder)?.images ?? {},
    };
    this.#write();
  }

  addImage({ name, id, digest }: ImageRecord): void {
    const known = this.#record.images[name] ?? [];
    if (known.some((one) => one.id === id)) return;
    const images = { ...this.#record.images, [name]: [...known, { id, digest }] };
    this.#record = { ...this.#record, images };
    this.#write();
  }

  #write(): void {
    writeWhole(fileIn(this.#folder), `${JSON.stringify(this.#record, null, 2)}\n`);
  }
}

/** The engine's version; null where it does not tell. */
export async function engineVersion(engine: Engine | null): Promise<string | null> {
  if (engine === null) return null;
  const { Version: found } = await engine.docker.version().catch(() => ({ Version: null }));
  return found ?? null;
}
