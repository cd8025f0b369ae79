import type { Schema } from "./open-database.ts";
import { stateKeeping } from "./storage-error.ts";

/**
 * The journal. An append's id is its run's number times 2^32 plus the seq of its last event: rows of
 * a run stand together in order, and no index has to be written beside them.
 *
 * Small pages, because each transaction writes every page that it touches whole, and a late
 * checkpoint, because each one writes the busiest pages again: together half the bytes of the
 * defaults. Each transaction is synced before it returns: a reply that was paid for and a command
 * that ran are known after a power cut too.
 */
export const journalSchema: Schema = {
  // "pmcd"
  applicationId: 0x706d6364,
  migrations: [
    `CREATE TABLE runs (
      number INTEGER PRIMARY KEY,
      run TEXT NOT NULL UNIQUE,
      instance_id TEXT,
      arm TEXT NOT NULL,
      model TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      status TEXT NOT NULL
    ) STRICT;
    CREATE TABLE appends (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      events BLOB NOT NULL
    ) STRICT;`,
  ],
  file: "PRAGMA page_size = 512",
  connection: `
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 8192;
  `,
  keeping: stateKeeping,
};
