import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { PmcoderError } from "../domain/errors.ts";
import { putInPlace, refuseRemains } from "./database-file.ts";

/** "pmcd", which marks a database as ours. */
const applicationId = 0x706d6364;

/**
 * Version n is what the first n of these make; a released one never changes. An append's id is its
 * run's number times 2^32 plus the seq of its last event: rows of a run stand together in order,
 * and no index has to be written beside them.
 */
const migrations: readonly string[] = [
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
];

/**
 * Small pages, because each transaction writes every page that it touches whole, and a late
 * checkpoint, because each one writes the busiest pages again: together half the bytes of the
 * defaults. Each transaction is synced before it returns: a reply that was paid for and a command
 * that ran are known after a power cut too.
 */
const pages = "PRAGMA page_size = 512";
const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 8192;
`;

/** A number that SQLite keeps in the file's header, or a count. */
function numberAt(database: DatabaseSyncInstance, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
}

const inMemory = ":memory:";

/**
 * Opens or creates a database and brings it to the newest version. Another program's database, one
 * of a newer pmcoder, and what is left of a damaged one are refused unchanged. `file`: a path, or
 * `:memory:`; `waitMs`: how long a writer waits for another one.
 */
export function openDatabase(file: string, waitMs: number): DatabaseSyncInstance {
  if (file !== inMemory && refuseRemains(file).isNew) putInPlace(file, create);
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    refuseForeign(database, file);
    database.exec(settings);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function create(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(pages);
    migrate(database);
  } finally {
    database.close();
  }
}

function refuseForeign(database: DatabaseSyncInstance, file: string): void {
  const version = numberAt(database, "PRAGMA user_version");
  const isOurs = numberAt(database, "PRAGMA application_id") === applicationId;
  if (!isOurs && numberAt(database, "SELECT count(*) FROM sqlite_schema") > 0) {
    throw new PmcoderError(
      "storage",
      `${file} is a database of another program, expected one of pmcoder. Choose another folder with --state.`,
    );
  }
  if (version > migrations.length) {
    throw new PmcoderError(
      "storage",
      `${file} was written by a newer pmcoder (schema ${version}; this one knows ${migrations.length}). Update pmcoder, or choose another folder with --state.`,
    );
  }
}

/** All missing versions in one transaction; whoever comes second finds nothing to do. */
function migrate(database: DatabaseSyncInstance): void {
  if (numberAt(database, "PRAGMA user_version") === migrations.length) return;
  inTransaction(database, () => {
    const version = numberAt(database, "PRAGMA user_version");
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

/** Runs `work` as one write transaction: all of it, or none. */
export function inTransaction<T>(database: DatabaseSyncInstance, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
