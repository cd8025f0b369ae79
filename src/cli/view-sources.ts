import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Journal } from "../domain/journal.ts";
import { resolveRun, runOfOutput } from "../store/run-id.ts";
import { openJournal } from "../store/sqlite.ts";
import { readTrajectories } from "../trajectories/read-trajectories.ts";
import {
  joinedLibrary,
  journalLibrary,
  type Library,
  type TrajectoryFile,
  trajectoryFile,
  trajectoryLibrary,
} from "../viewer/library.ts";
import { systemClock } from "./compose.ts";
import type { Io } from "./io.ts";
import { statePlace } from "./places.ts";
import { textOf } from "./replay.ts";
import { counterOn } from "./replay-progress.ts";
import type { ViewFlags } from "./view-command.ts";

/** What was named, opened. */
export interface Sources {
  readonly library: Library;
  /** Keys of the episodes that were meant one by one; empty: all of them. */
  readonly named: readonly string[];
  /** The state folder that keeps this run; null: none of those that were opened. */
  readonly stateOf: (run: string) => Promise<string | null>;
}

/** What is being opened, source by source. */
interface Opening {
  readonly config: RunConfig;
  readonly io: Io;
  readonly state: string | undefined;
  /** By the path of the database. */
  readonly journals: Map<string, Journal>;
  readonly runs: string[];
  readonly files: { readonly path: string; readonly isNamed: boolean }[];
}

/**
 * Opens runs, trajectory files and folders of either; nothing named is all runs of the state
 * folder. Rejects with PmcoderError `usage` for what is not there or cannot be read.
 */
export async function openSources(
  what: readonly string[],
  { state, instance }: Pick<ViewFlags, "state" | "instance">,
  { config, io }: { readonly config: RunConfig; readonly io: Io },
): Promise<Sources> {
  const opening: Opening = { config, io, state, journals: new Map(), runs: [], files: [] };
  try {
    if (what.length === 0) openState(opening, null);
    for (const text of what) await openSource(text, opening);
    return await together(opening, instance ?? null);
  } catch (error) {
    for (const journal of opening.journals.values()) await journal.close();
    throw error;
  }
}

async function openSource(text: string, opening: Opening): Promise<void> {
  const { io, runs, files } = opening;
  const path = resolve(io.cwd, text);
  const output = runOfOutput(io.cwd, text);
  if (output) {
    requireDatabase(output.db, text);
    openDatabase(output.db, opening);
    runs.push(output.run);
  } else if (isKind(path, "isFile")) {
    files.push({ path, isNamed: true });
  } else if (isKind(path, "isDirectory")) {
    openFolder(path, opening);
  } else {
    runs.push(await resolveRun(openState(opening, text), text));
  }
}

/** Opening it would make an empty one. */
function requireDatabase(database: string, text: string): void {
  if (existsSync(database)) return;
  throw new PmcoderError(
    "usage",
    `The events of ${text} stood in ${database}, which is gone. Its trajectory.json can be viewed.`,
  );
}

function openState({ io, state, ...opening }: Opening, text: string | null): Journal {
  const { database, folder } = statePlace(state, io);
  if (existsSync(database)) return openDatabase(database, { io, state, ...opening });
  const [what, advice] =
    text === null
      ? ["No runs", "Start one with pmcoder run, or name a trajectory file."]
      : [`No file, folder or run "${text}"`, "Name what is there, or give --state DIR."];
  throw new PmcoderError("usage", `${what}: ${folder} holds no runs. ${advice}`);
}

function openDatabase(database: string, { journals }: Opening): Journal {
  const journal = journals.get(database) ?? openJournal(database, systemClock);
  journals.set(database, journal);
  return journal;
}

/** A state folder, or the repository that holds one, or a folder of trajectory files. */
function openFolder(path: string, opening: Opening): void {
  const databases = [join(path, "pmcoder.db"), join(path, ".pmcoder", "pmcoder.db")];
  const database = databases.find((file) => existsSync(file));
  if (database !== undefined) {
    openDatabase(database, opening);
    return;
  }
  const names = readdirSync(path, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => /\.(traj|json|jsonl)(\.gz)?$/.test(name)).sort();
  opening.files.push(...files.map((name) => ({ path: join(path, name), isNamed: false })));
  if (files.length === 0) {
    throw new PmcoderError(
      "usage",
      `${path} holds neither runs (pmcoder.db) nor trajectory files.`,
    );
  }
}

async function together(opening: Opening, instance: string | null): Promise<Sources> {
  const { config, journals, runs, files } = opening;
  const read = readFiles(opening);
  if (files.length > 0 && read.length === 0) {
    throw new PmcoderError("usage", `None of these ${files.length} files holds a trajectory.`);
  }
  const trajectories = trajectoryLibrary(read, config, instance);
  const listed = (await trajectories.list()).map(({ key }) => key);
  if (instance !== null && listed.length === 0) {
    const found =
      files.length > 0
        ? `No episode of ${instance} in these files.`
        : "--instance chooses among trajectory files, and none was named. Name a run by its id.";
    throw new PmcoderError("usage", found);
  }
  const libraries = [...journals.values()].map((journal) => journalLibrary(journal, config));
  const stateOf = async (run: string) => {
    for (const [database, journal] of journals) {
      if ((await journal.runs()).some((row) => row.run === run)) return dirname(database);
    }
    return null;
  };
  const library = joinedLibrary([...libraries, trajectories]);
  return { library, named: [...runs, ...listed], stateOf };
}

/** Files of a folder that hold no trajectory are passed over; a file that was named must hold one. */
function readFiles({ files, io }: Opening): readonly TrajectoryFile[] {
  const counter = counterOn(io.stderr, () => performance.now());
  try {
    return files.flatMap(({ path, isNamed }, at) => {
      const name = relative(io.cwd, path);
      counter.tell(at, files.length, name);
      try {
        return [trajectoryFile(name, () => readTrajectories(textOf(path, io.cwd), basename(path)))];
      } catch (error) {
        if (isNamed || !(error instanceof PmcoderError)) throw error;
        return [];
      }
    });
  } finally {
    counter.clear();
  }
}

function isKind(path: string, kind: "isFile" | "isDirectory"): boolean {
  return statSync(path, { throwIfNoEntry: false })?.[kind]() === true;
}
