import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import { type Reproducer, ReproRecord } from "../domain/reproducer.ts";
import { writeWhole } from "../store/files.ts";

/** Our choice: such a script is a page or two; more is a mistake. */
const maxBytes = 64 * 1024;

const recordName = "record.json";

/** The script as a value. */
export function reproducerOf({ lang, text }: Pick<Reproducer, "lang" | "text">): Reproducer {
  return { lang, text, sha256: createHash("sha256").update(text, "utf8").digest("hex") };
}

const languages: Readonly<Record<string, Reproducer["lang"]>> = {
  ".py": "python",
  ".sh": "bash",
  ".bash": "bash",
};

/** Reads a script; its name tells the language. Throws PmcoderError `usage`. */
export function readReproducer(file: string): Reproducer {
  const lang = languages[extname(file)];
  if (lang === undefined) {
    throw new PmcoderError(
      "usage",
      `${file}: a reproduction script is named .py or .sh, which tells what runs it.`,
    );
  }
  const text = read(file);
  if (text === null) throw new PmcoderError("usage", `${file}: there is no such file.`);
  if (Buffer.byteLength(text) > maxBytes) {
    throw new PmcoderError("usage", `${file} is larger than 64 KiB; give the script alone.`);
  }
  return reproducerOf({ lang, text });
}

export const scriptName = ({ lang }: Pick<Reproducer, "lang">) =>
  lang === "python" ? "script.py" : "script.sh";

/** A script with its record. */
export interface Kept {
  readonly record: ReproRecord;
  /** null: the file is missing. */
  readonly reproducer: Reproducer | null;
  /** The script is the one that the record is about. */
  readonly isSame: boolean;
}

/** Folders stand in folders, so a name is one path part. Throws PmcoderError `usage`. */
export function folderFor(scripts: string, instance: string): string {
  if (/^[^\s/\\.][^\s/\\]*$/.test(instance)) return join(scripts, instance);
  throw new PmcoderError(
    "usage",
    `"${instance}" cannot be the name of a folder: no blanks, no slashes.`,
  );
}

/** What stands in a scripts folder for an instance; null: nothing. Throws PmcoderError `usage`. */
export function readKept(scripts: string, instance: string): Kept | null {
  const folder = folderFor(scripts, instance);
  const text = read(join(folder, recordName));
  if (text === null) return null;
  const record = parseRecord(text, join(folder, recordName));
  if (record.instance_id !== instance) {
    throw new PmcoderError(
      "usage",
      `${join(folder, recordName)} is the record of ${record.instance_id}, not of ${instance}.`,
    );
  }
  const script = read(join(folder, scriptName(record)));
  const reproducer = script === null ? null : reproducerOf({ lang: record.lang, text: script });
  return { record, reproducer, isSame: reproducer?.sha256 === record.sha256 };
}

/** Every script that is kept, by instance. */
export function readAllKept(scripts: string): readonly Kept[] {
  return instancesIn(scripts).flatMap((instance) => readKept(scripts, instance) ?? []);
}

/** Writes a script with its record, and the index anew. Throws PmcoderError `storage`. */
export function writeKept(scripts: string, reproducer: Reproducer, record: ReproRecord): void {
  const folder = folderFor(scripts, record.instance_id);
  writeWhole(join(folder, scriptName(reproducer)), reproducer.text);
  writeRecord(scripts, record);
}

/** Writes a record, and `index.jsonl`, which holds all of them, anew. */
export function writeRecord(scripts: string, record: ReproRecord): void {
  const folder = folderFor(scripts, record.instance_id);
  writeWhole(join(folder, recordName), `${JSON.stringify(record, null, 2)}\n`);
  const lines = readAllKept(scripts).map((kept) => `${JSON.stringify(kept.record)}\n`);
  writeWhole(join(scripts, "index.jsonl"), lines.join(""));
}

function instancesIn(scripts: string): readonly string[] {
  try {
    return readdirSync(scripts, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function parseRecord(text: string, file: string): ReproRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PmcoderError("usage", `${file} is not JSON.`, { cause });
  }
  const parsed = ReproRecord.safeParse(value);
  if (parsed.success) return parsed.data;
  const [fault] = parsed.error.issues;
  throw new PmcoderError("usage", `${file}: ${fault?.path.join(".")} ${fault?.message}`);
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    // A name that is too long for the disk is no folder's either.
    const absent = ["ENOENT", "ENAMETOOLONG"];
    if (cause instanceof Error && absent.includes(String(Reflect.get(cause, "code")))) return null;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PmcoderError("usage", `${file} cannot be read: ${reason}`, { cause });
  }
}
