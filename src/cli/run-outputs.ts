import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { peeksIn } from "../agent/guard/peeks.ts";
import type { Work } from "../agent/patch/collect.ts";
import type { RecordedEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import { makeFolder, writeOutput } from "../store/files.ts";
import { storageError } from "../store/storage-error.ts";
import { miniTrajectory } from "../trajectories/export.ts";
import { type Summary, summaryOf } from "../trajectories/summary.ts";
import { exitCodeOf } from "./exit-code.ts";

/** The folder of one run's results. */
export interface Outputs {
  readonly folder: string;
  /** Where the complete output of each command goes. */
  readonly spool: string;
  /** The database with its events, as the summary names it. */
  readonly db: string;
  /** The folder with the records of runs, which commands must not see. */
  readonly state: string;
}

const names = [
  "summary.json",
  "patch.diff",
  "submission.diff",
  "extraction.diff",
  "trajectory.json",
] as const;

/** The folder of a run whose events stand in `db`, a file of the folder `state`. */
export function outputsIn(folder: string, db: string, state: string = dirname(db)): Outputs {
  return { folder, spool: join(folder, "outputs"), db, state };
}

/** Throws PmcoderError `usage` when the folder holds such results already: none is written over. */
export function freshOutputs(folder: string, db: string): Outputs {
  const found = names.find((name) => existsSync(join(folder, name)));
  if (found === undefined) return outputsIn(folder, db);
  throw new PmcoderError(
    "usage",
    `${folder} holds a run's results already (${found}). Choose another --output, or remove the folder.`,
  );
}

/**
 * Makes the folders. Returns what removes them again, for a run that never begins. Throws
 * PmcoderError `storage` when they cannot be made.
 */
export function makeOutputs({ folder, spool }: Outputs): () => void {
  const made = [spool, folder].filter((one) => !existsSync(one));
  try {
    makeFolder(spool);
  } catch (error) {
    throw storageError(spool, "make", error);
  }
  return () => {
    if (made.includes(spool)) rmSync(spool, { recursive: true, force: true });
    if (made.includes(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  };
}

const patchIn = ({ folder }: Outputs) => join(folder, "patch.diff");

function summarise(outputs: Outputs, events: readonly RecordedEvent[], exitCode: number | null) {
  const { db } = outputs;
  const guard = peeksIn(events);
  return summaryOf(events, { exitCode, patchPath: patchIn(outputs), guard, db });
}

/** The summary of a run that has begun, so that whoever looks finds it. */
export function writeBeginning(outputs: Outputs, events: readonly RecordedEvent[]): void {
  writeOutput(outputs.folder, "summary.json", summarise(outputs, events, null));
}

/** An empty one is no file, and none of an earlier process of the run stays. */
function writeOrRemove(
  folder: string,
  name: "submission.diff" | "extraction.diff",
  bytes: Uint8Array,
): void {
  if (bytes.length > 0) writeOutput(folder, name, bytes);
  else rmSync(join(folder, name), { force: true });
}

/** What is left of the work, before the run's end is recorded. */
export function writeWork({ folder }: Outputs, { patch, submission, extraction }: Work): void {
  writeOutput(folder, "patch.diff", patch);
  writeOrRemove(folder, "submission.diff", submission);
  writeOrRemove(folder, "extraction.diff", extraction === patch ? new Uint8Array() : extraction);
}

/** What the record gives, once its end stands there; the summary last, as it promises the rest. */
export function writeEnd(
  outputs: Outputs,
  events: readonly RecordedEvent[],
  exitCode: number,
): Summary {
  const { folder } = outputs;
  const submitted = Buffer.from(readPatch(outputs) ?? "").toString("utf8");
  writeOutput(folder, "trajectory.json", miniTrajectory(events, submitted));
  const summary = summarise(outputs, events, exitCode);
  writeOutput(folder, "summary.json", summary);
  return summary;
}

/** null: it was never written, or removed since. */
export function readPatch(outputs: Outputs): Uint8Array | null {
  const file = patchIn(outputs);
  try {
    return existsSync(file) ? readFileSync(file) : null;
  } catch (error) {
    throw storageError(file, "read", error);
  }
}

/**
 * Writes what is missing of a run whose process was killed between the record of its end and its
 * files. null: nothing was.
 */
export function completeEnd(outputs: Outputs, events: readonly RecordedEvent[]): Summary | null {
  const end = events.at(-1);
  if (end?.type !== "end" || isWritten(outputs, end.run)) return null;
  return writeEnd(outputs, events, exitCodeOf(end.status));
}

function isWritten({ folder }: Outputs, run: string): boolean {
  try {
    const summary = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8"));
    return summary.run === run && summary.exit_status !== "running";
  } catch {
    return false;
  }
}
