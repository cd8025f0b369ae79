import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import type { Journal } from "../domain/journal.ts";
import { storageError } from "./storage-error.ts";

/**
 * A run's id, such as `20261130-142501-ab12`: UTC time to the second, so that ids sort by it, and
 * the first four hexadecimal digits of `random`, which tell runs of one second apart.
 */
export function runIdAt(epochMs: number, random: Uint8Array): string {
  const [date = "", time = ""] = new Date(epochMs).toISOString().split("T");
  const tail = Buffer.from(random.subarray(0, 2)).toString("hex").padStart(4, "0");
  return `${date.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${tail}`;
}

/** Ids named in a message, so that it stays one sentence. */
const namedAtMost = 5;

/**
 * The run that a user means: its id, a prefix that only one id has, or `last` for the newest.
 * Rejects with PmcoderError `usage` when there is none or more than one.
 */
export async function resolveRun(journal: Journal, text: string): Promise<string> {
  const runs = (await journal.runs()).map(({ run }) => run);
  const newest = runs[0];
  if (newest === undefined) {
    throw new PmcoderError(
      "usage",
      `No run "${text}": nothing is recorded here yet. Start one with pmcoder run.`,
    );
  }
  if (text === "last") return newest;
  if (runs.includes(text)) return text;
  const matches = text === "" ? [] : runs.filter((run) => run.startsWith(text));
  const only = matches[0];
  if (only !== undefined && matches.length === 1) return only;
  const [found, which] =
    only === undefined
      ? [`No run starts with "${text}"`, runs]
      : [`${matches.length} runs start with "${text}"`, matches];
  const named = which.slice(0, namedAtMost).join(", ");
  const more = which.length > namedAtMost ? ", …" : "";
  throw new PmcoderError(
    "usage",
    `${found}; expected an id, a prefix of one id, last, or an output folder. ${only === undefined ? "The newest are" : "They are"} ${named}${more}.`,
  );
}

export interface OutputRun {
  readonly run: string;
  /** The database that holds its events. */
  readonly db: string;
}

/**
 * The run whose output folder `text` is, seen from `directory`; null if it is no such folder.
 * Throws PmcoderError `storage` when its summary cannot be read.
 */
export function runOfOutput(directory: string, text: string): OutputRun | null {
  const file = join(resolve(directory, text), "summary.json");
  if (text === "" || !existsSync(file)) return null;
  try {
    const { run, db } = JSON.parse(readFileSync(file, "utf8"));
    if (typeof run === "string" && typeof db === "string") return { run, db };
  } catch (error) {
    throw storageError(file, "read", error);
  }
  throw new PmcoderError("storage", `Cannot read ${file}: it names no run and no database.`);
}
