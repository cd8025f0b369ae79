import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Clock } from "../domain/clock.ts";
import { exitStatuses, type RecordedEvent } from "../domain/episode.ts";
import type { Journal, RunRow } from "../domain/journal.ts";
import type { RunLocks } from "../domain/run-lock.ts";
import { runHost } from "../environments/host-command.ts";
import { openRunLocks } from "../store/run-lock.ts";
import { openJournal } from "../store/sqlite.ts";
import type { StateFolder } from "../store/state-folder.ts";
import { isOpen } from "./standing.ts";

/**
 * Why a run's working copy may still be there. `killed`: the process died; `open`: it ended so that
 * another process can go on; `uncollected`: it ended and its patch could not be taken; `done`: its
 * patch was taken, so nothing needs the copy.
 */
export type Standstill = "killed" | "open" | "uncollected" | "done";

/** A run that nobody works on, with what it left beside its results. */
export interface LeftRun {
  readonly run: string;
  readonly why: Standstill;
  /** How it ended, or `running`. */
  readonly status: string;
  /** The folder with its working copy; null: there is none. */
  readonly copy: string | null;
  /** Bytes on disk of that folder. */
  readonly copyBytes: number;
  /** Name of its container, which may be gone by now; null: it had none. */
  readonly container: string | null;
  /** Its output folder, and the bytes on disk. */
  readonly output: string;
  readonly outputBytes: number;
}

export interface LeftBehind {
  readonly runs: readonly LeftRun[];
  /** Folders that look like a run's working copy, of no run that this journal knows. */
  readonly strange: readonly string[];
}

export interface Places {
  readonly state: StateFolder;
  /** Where working copies are made. */
  readonly work: string;
  readonly clock: Pick<Clock, "now">;
}

const looksLikeRun = (name: string) => /^\d{8}-\d{6}-[0-9a-f]{4}$/.test(name);

/**
 * What runs left on this machine that nobody works on now. Changes nothing. Throws PmcoderError
 * `storage` when the journal cannot be read.
 */
export async function leftBehind({ state, work, clock }: Places): Promise<LeftBehind> {
  const names = (await readdir(work).catch(() => [])).filter(looksLikeRun);
  if (!existsSync(state.database))
    return { runs: [], strange: names.map((one) => join(work, one)) };
  const journal = openJournal(state.database, clock);
  try {
    const rows = await journal.runs();
    const known = new Set(rows.map(({ run }) => run));
    const strange = names.filter((name) => !known.has(name)).map((name) => join(work, name));
    const asked = rows.filter(({ run, status }) => goesOn(status) || names.includes(run));
    const locks = openRunLocks(state.locks, clock);
    const runs: LeftRun[] = [];
    for (const row of asked) runs.push(...(await leftBy(row, { state, work, journal, locks })));
    return { runs, strange };
  } finally {
    await journal.close();
  }
}

/** Whether a run that is in this state, and that nobody works on, can be taken up. */
const goesOn = (status: string) => isOpen(exitStatuses.find((one) => one === status) ?? null);

interface Look extends Pick<Places, "state" | "work"> {
  readonly journal: Journal;
  readonly locks: RunLocks;
}

/** Empty while somebody works on the run, and when it ended and left nothing. */
async function leftBy(
  { run, status }: RunRow,
  { state, work, journal, locks }: Look,
): Promise<readonly LeftRun[]> {
  if (await locks.isHeld(run)) return [];
  const events = await journal.read(run);
  const site = events.findLast((event) => event.type === "begin" || event.type === "resume")?.site;
  const copy = copyFolder(run, site?.copy ?? join(work, run, "copy"));
  const why = standstill(status, events);
  if (why !== "killed" && copy === null) return [];
  const begin = events.find((event) => event.type === "begin");
  const output = begin?.output ?? join(state.runs, run);
  return [
    {
      run,
      why,
      status,
      copy,
      copyBytes: copy === null ? 0 : await bytesIn(copy),
      container: site?.container ?? null,
      output,
      outputBytes: existsSync(output) ? await bytesIn(output) : 0,
    },
  ];
}

/** The folder named by the run in which its copy stands, if it does; no other is ever removed. */
function copyFolder(run: string, copy: string): string | null {
  const folder = dirname(copy);
  return basename(folder) === run && existsSync(folder) ? folder : null;
}

function standstill(status: string, events: readonly RecordedEvent[]): Standstill {
  if (status === "running") return "killed";
  if (goesOn(status)) return "open";
  const newest = events.findLastIndex(({ type }) => type === "begin" || type === "resume");
  return events.slice(newest).some(({ type }) => type === "patch") ? "done" : "uncollected";
}

/** Bytes on disk of a folder with all that it holds; what cannot be read is not counted. */
async function bytesIn(folder: string): Promise<number> {
  const { stdout } = await runHost(["du", "-sk", "--", folder], { cwd: "/" });
  return 1024 * (Number.parseInt(stdout.toString(), 10) || 0);
}
