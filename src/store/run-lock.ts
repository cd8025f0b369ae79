import { readFileSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import type { Clock } from "../domain/clock.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Holder, RunLock, RunLocks } from "../domain/run-lock.ts";
import { makeFolder, writeWhole } from "./files.ts";
import { folderNameOf } from "./folder-name.ts";
import { isLockedOut, storageError } from "./storage-error.ts";

/**
 * Milliseconds before a held lock is refused, so that another's look is none. Our choice: far above
 * the time of a look, and enough for who was quicker to write down who it is.
 */
const patienceMs = 300;

/** How often, and how many milliseconds apart, a holder that is not named yet is looked for. */
const nameLooks = 40;
const nameLookMs = 50;

/** Milliseconds that a look waits for another look. */
const glanceMs = 10;

/** A connection that nobody keeps is collected and closed, which would let go of its lock. */
const open = new Set<DatabaseSyncInstance>();

/**
 * Locks of runs as SQLite's, which are the system's own (POSIX advisory locks): whoever has an open
 * write transaction on the empty database `<run>.lock` in `folder` works on the run, and the kernel
 * ends that with the process. No pid is trusted, so it does not matter whose number it is by now,
 * and nobody has to find out whether a lock is stale. Beside it `<run>.json` says who, for messages
 * only. The empty file stays: two processes could lock it and its successor at once. On a network
 * file system it holds between machines as far as that carries locks; where it carries none,
 * acquiring is refused.
 */
export function openRunLocks(
  folder: string,
  clock: Pick<Clock, "now">,
  waitMs: number = patienceMs,
): RunLocks {
  return {
    acquire: async (run) => {
      const places = placesOf(folder, run);
      const database = lock(places.lock, waitMs);
      if (database === null) throw refusal(run, await holderSoon(places.holder));
      return hold(database, places, clock.now());
    },
    isHeld: async (run) => {
      const file = placesOf(folder, run).lock;
      if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
      const database = lock(file, glanceMs);
      if (database === null) return true;
      release(database);
      return false;
    },
  };
}

interface Places {
  readonly lock: string;
  readonly holder: string;
}

function placesOf(folder: string, run: string): Places {
  const name = folderNameOf(run);
  return { lock: join(folder, `${name}.lock`), holder: join(folder, `${name}.json`) };
}

/**
 * A connection that holds the file's lock; null: another one has it. What is written stays in
 * memory and is never committed, but it fails where the file may not be written, on which SQLite
 * would begin the transaction without a lock. Throws PmcoderError `storage`.
 */
function lock(file: string, waitMs: number): DatabaseSyncInstance | null {
  let database: DatabaseSyncInstance | undefined;
  try {
    makeFolder(join(file, ".."));
    database = new DatabaseSync(file, { timeout: waitMs });
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE; PRAGMA user_version = 1");
    open.add(database);
    return database;
  } catch (error) {
    database?.close();
    if (isLockedOut(error)) return null;
    throw storageError(file, "lock", error);
  }
}

function release(database: DatabaseSyncInstance): void {
  open.delete(database);
  if (database.isOpen) database.close();
}

function hold(database: DatabaseSyncInstance, { holder }: Places, since: number): RunLock {
  const me: Holder = { pid: process.pid, host: hostname(), since };
  try {
    writeWhole(holder, `${JSON.stringify(me)}\n`);
  } catch (error) {
    release(database);
    throw error;
  }
  return {
    release: async () => {
      // Only while it is still ours: the next owner's word stands there afterwards.
      if (database.isOpen) forget(holder);
      release(database);
    },
  };
}

/** Nobody asks who held a lock that is free, so it does not matter if the file stays. */
function forget(holder: string): void {
  try {
    rmSync(holder, { force: true });
  } catch {
    // The disk went bad or read-only meanwhile.
  }
}

/** Who wrote the file; null when it is missing or says nothing. */
function holderIn(file: string): Holder | null {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(file, "utf8"));
    const isHolder = Number.isInteger(pid) && Number.isFinite(new Date(since).getTime());
    return isHolder ? { pid, host: String(host), since } : null;
  } catch {
    return null;
  }
}

/** Who holds it; whoever was quicker may still be about to write that down. */
async function holderSoon(file: string): Promise<Holder | null> {
  for (let look = 0; look < nameLooks; look += 1) {
    const holder = holderIn(file);
    if (holder !== null) return holder;
    await wait(nameLookMs);
  }
  return null;
}

function refusal(run: string, holder: Holder | null): PmcoderError {
  const advice = "Wait until it has ended, or end it";
  if (holder === null) {
    return new PmcoderError("usage", `Another process works on run ${run}. ${advice}.`);
  }
  const { pid, host, since } = holder;
  const when = `${new Date(since).toISOString().slice(0, 19)}Z`;
  const how = host === hostname() ? `kill ${pid}` : `kill ${pid}, on ${host}`;
  return new PmcoderError(
    "usage",
    `Process ${pid} on ${host} works on run ${run} since ${when}. ${advice}: ${how}`,
  );
}
