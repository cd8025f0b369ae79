import { basename } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import { bytes, plural } from "../domain/quantities.ts";
import type { RunLocks } from "../domain/run-lock.ts";
import { type Abandoned, cleanDead } from "../environments/docker-clean.ts";
import { openRunLocks } from "../store/run-lock.ts";
import { systemClock } from "./compose.ts";
import { removeWork, workFolder } from "./compose-copy.ts";
import { gatherSettings } from "./config-file.ts";
import { findEngine } from "./find-engine.ts";
import type { Io } from "./io.ts";
import { type LeftRun, leftBehind, type Standstill } from "./left-behind.ts";
import { mergeConfig } from "./merge-config.ts";
import { statePlace } from "./places.ts";
import { visible } from "./terminal-text.ts";

export interface CleanFlags {
  readonly config: readonly string[];
  readonly state?: string | undefined;
  readonly all?: true | undefined;
  readonly json?: true | undefined;
}

/**
 * `pmcoder doctor --clean`: removes working copies that nothing needs any more, with `--all` every
 * one that nobody works in, and containers whose run is dead. What is kept is told with its reason.
 * Returns 1 when something could not be removed.
 */
export async function clean(flags: CleanFlags, io: Io): Promise<0 | 1> {
  const tell = (object: object, line: string) => {
    if (flags.json) io.stdout.write(`${JSON.stringify(object)}\n`);
    io.stderr.write(`${visible(line)}\n`);
  };
  const copies = await cleanCopies(flags, io, tell);
  const containers = await cleanContainers(io, tell);
  const count = (some: readonly { readonly failure: string | null }[]) =>
    some.filter(({ failure }) => failure === null).length;
  const copied = count(copies) === 1 ? "1 working copy" : `${count(copies)} working copies`;
  io.stderr.write(`${copied} and ${plural(count(containers), "container")} of dead runs removed\n`);
  return [...copies, ...containers].every(({ failure }) => failure === null) ? 0 : 1;
}

type Tell = (object: object, line: string) => void;

/** Why a copy stays; null: nothing needs it. */
const needs: Record<Standstill, ((run: string) => string) | null> = {
  killed: (run) => `pmcoder resume ${run} goes on from there`,
  open: (run) => `pmcoder resume ${run} goes on from there`,
  uncollected: () => "its patch could not be taken, so the copy alone holds the work",
  done: null,
};

interface Tried {
  /** Null once it is removed, else why it is not. */
  readonly failure: string | null;
}

async function cleanCopies(flags: CleanFlags, io: Io, tell: Tell): Promise<readonly Tried[]> {
  const state = statePlace(flags.state, io);
  const { runs, strange } = await leftBehind({
    state,
    work: copiesFolder(flags, io),
    clock: systemClock,
  });
  const locks = openRunLocks(state.locks, systemClock);
  const tried: Tried[] = [];
  for (const left of runs) {
    if (left.copy === null) continue;
    const reason = flags.all === true ? null : (needs[left.why]?.(left.run) ?? null);
    const failure = reason === null ? await removeCopy(left.run, left.copy, locks) : null;
    if (reason === null) tried.push({ failure });
    tellCopy(left, reason ?? failure, tell);
  }
  for (const path of strange) {
    const kept = "no run of that name is recorded here; another state folder may know it";
    tell({ kind: "copy", run: basename(path), path, kept }, `kept ${path}: ${kept}`);
  }
  return tried;
}

function copiesFolder({ config }: CleanFlags, io: Io): string {
  const { env, cwd } = io;
  const settings = gatherSettings({ env, cwd, arguments: config, flags: [] });
  return workFolder(mergeConfig(settings).config.environment, io);
}

/** `kept`: why it stays; null: it is gone. */
function tellCopy({ run, status, ...left }: LeftRun, kept: string | null, tell: Tell): void {
  const { copy: path, copyBytes } = left;
  const how = status === "running" ? "killed" : status;
  const what = `the working copy of ${run} (${how}), ${bytes(copyBytes)}`;
  tell(
    { kind: "copy", run, status, path, bytes: copyBytes, kept },
    kept === null ? `removed ${what}` : `kept ${what}: ${kept}`,
  );
}

/** Nobody can take the run up while its copy goes. */
async function removeCopy(run: string, copy: string, locks: RunLocks): Promise<string | null> {
  try {
    const lock = await locks.acquire(run);
    try {
      await removeWork(copy);
    } finally {
      await lock.release();
    }
    return null;
  } catch (error) {
    if (!(error instanceof PmcoderError)) throw error;
    return error.message;
  }
}

async function cleanContainers(io: Io, tell: Tell): Promise<readonly Abandoned[]> {
  const engine = await findEngine(io.env);
  if (engine === null) {
    io.stderr.write("no Docker engine answers, so containers were not looked at\n");
    return [];
  }
  const containers = await cleanDead(engine);
  for (const container of containers) {
    const { run, failure } = container;
    tell({ kind: "container", ...container }, failure ?? `removed the container of ${run}`);
  }
  return containers;
}
