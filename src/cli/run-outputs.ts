import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { EpisodeEnd } from "../agent/episode.ts";
import type { RecordedEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import { writeOutput } from "../store/files.ts";
import { miniTrajectory } from "../trajectories/export.ts";
import { type Summary, summaryOf } from "../trajectories/summary.ts";

/** The folder of one run's results. */
export interface Outputs {
  readonly folder: string;
  /** Where the complete output of each command goes. */
  readonly spool: string;
  readonly db: string;
}

/** Throws PmcoderError `usage` when the folder holds a run already: nothing is written over. */
export function outputsIn(folder: string, db: string): Outputs {
  if (existsSync(join(folder, "summary.json"))) {
    throw new PmcoderError(
      "usage",
      `${folder} holds a run already. Choose another --output, or remove the folder.`,
    );
  }
  return { folder: resolve(folder), spool: join(resolve(folder), "outputs"), db };
}

const patchIn = ({ folder }: Outputs) => join(folder, "patch.diff");

function summarise(outputs: Outputs, events: readonly RecordedEvent[], exitCode: number | null) {
  return summaryOf(events, { exitCode, patchPath: patchIn(outputs), db: outputs.db });
}

/** The summary of a run that has begun, so that whoever looks finds it. */
export function writeBeginning(outputs: Outputs, events: readonly RecordedEvent[]): void {
  writeOutput(outputs.folder, "summary.json", summarise(outputs, events, null));
}

/** Everything that a run leaves; the summary last, so that it never promises a missing file. */
export function writeEnd(
  outputs: Outputs,
  events: readonly RecordedEvent[],
  end: EpisodeEnd,
  exitCode: number,
): Summary {
  const { folder } = outputs;
  writeOutput(folder, "patch.diff", end.patch);
  if (end.submission.length > 0) writeOutput(folder, "submission.diff", end.submission);
  const submitted = Buffer.from(end.patch).toString("utf8");
  writeOutput(folder, "trajectory.json", miniTrajectory(events, submitted));
  const summary = summarise(outputs, events, exitCode);
  writeOutput(folder, "summary.json", summary);
  return summary;
}
