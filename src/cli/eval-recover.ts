import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withoutScratch } from "../agent/patch/take-snapshot.ts";
import type { RecordedEvent } from "../domain/episode.ts";
import type { SnapshotShelf } from "../domain/snapshots.ts";
import { runOfOutput } from "../store/run-id.ts";
import { storageError } from "../store/storage-error.ts";
import type { Kept } from "./compose.ts";
import { exitCodeOf } from "./exit-code.ts";
import { writeEnd } from "./run-outputs.ts";

type Outputs = Kept["outputs"];

/**
 * The patch of a run whose end is recorded. Its files are written after that record; where the
 * process was killed in between they are written now, from what was saved while it ran. null: the
 * patch is lost, because it was saved nowhere.
 */
export function patchOfEnded(
  { run, outputs, shelf }: Pick<Kept, "run" | "outputs" | "shelf">,
  events: readonly RecordedEvent[],
): Uint8Array | null {
  const end = events.at(-1);
  if (end?.type !== "end") return null;
  if (isWritten(outputs, run)) return readPatch(outputs);
  const patch = savedPatch(events, shelf);
  if (patch === null) return null;
  const submission = Buffer.from(submissionIn(events) ?? "");
  const { source } = events.findLast((event) => event.type === "patch") ?? {};
  const { status, reason } = end;
  const extraction = source === "submission" ? new Uint8Array() : patch;
  const left = { status, reason, patch, submission, extraction, uncollected: false };
  writeEnd(outputs, events, { ...left, fault: undefined }, exitCodeOf(status));
  return patch;
}

/** The summary is written last, so that it promises no file that is missing. */
function isWritten({ folder }: Outputs, run: string): boolean {
  const file = join(folder, "summary.json");
  if (!existsSync(file) || runOfOutput("/", folder)?.run !== run) return false;
  return JSON.parse(readFileSync(file, "utf8")).exit_status !== "running";
}

function readPatch({ folder }: Outputs): Uint8Array | null {
  const file = join(folder, "patch.diff");
  try {
    return existsSync(file) ? readFileSync(file) : null;
  } catch (error) {
    throw storageError(file, "read", error);
  }
}

const submissionIn = (events: readonly RecordedEvent[]) =>
  events.findLast((event) => event.type === "submission")?.text;

/** What was saved, if it is what the record says of the patch. */
function savedPatch(events: readonly RecordedEvent[], shelf: SnapshotShelf): Uint8Array | null {
  const record = events.findLast((event) => event.type === "patch");
  const begin = events.find((event) => event.type === "begin");
  if (record === undefined && begin?.config.agent.patch === "submission") {
    return Buffer.from(submissionIn(events) ?? "");
  }
  if (record === undefined || record.bytes === 0) return new Uint8Array();
  const saved =
    record.source === "submission" ? [ended(submissionIn(events))] : trees(events, shelf);
  return saved.find((bytes) => bytes.length === record.bytes) ?? null;
}

/** As a submitted text is kept: with one newline at its end. */
const ended = (text = "") => Buffer.from(`${text.replace(/\n+$/, "")}\n`);

function trees(events: readonly RecordedEvent[], shelf: SnapshotShelf): readonly Uint8Array[] {
  const names = events.flatMap((event) => (event.type === "snapshot" ? [event.tree] : []));
  return names.reverse().flatMap((tree) => {
    const saved = shelf.get(tree);
    return saved === null ? [] : [withoutScratch(saved)];
  });
}
