import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { PmcoderError } from "../domain/errors.ts";
import { putInPlace, refuseRemains } from "./database-file.ts";
import type { Keeping } from "./storage-error.ts";

/** What a database of ours is made of. */
export interface Schema {
  /** Four bytes of its header, which mark it as ours and of this kind. */
  readonly applicationId: number;
  /** Version n is what the first n of these make; a released one never changes. */
  readonly migrations: readonly string[];
  /** Pragmas of the file, before anything is in it. */
  readonly file: string;
  /** Pragmas of each connection. */
  readonly connection: string;
  readonly keeping: Keeping;
}

/** A number that SQLite keeps in the file's header, or a count. */
function numberAt(database: DatabaseSyncInstance, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
}

export const inMemory = ":memory:";

/**
 * Opens or creates a database and brings it to the newest version. Another program's database, one
 * of a newer pmcoder, and what is left of a damaged one are refused unchanged. `file`: a path, or
 * `:memory:`; `waitMs`: how long a writer waits for another one.
 */
export function openDatabase(file: string, waitMs: number, schema: Schema): DatabaseSyncInstance {
  if (file !== inMemory && refuseRemains(file, schema.keeping).isNew) {
    putInPlace(file, (draft) => create(draft, schema));
  }
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    refuseForeign(database, file, schema);
    database.exec(schema.connection);
    migrate(database, schema);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function create(file: string, schema: Schema): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(schema.file);
    migrate(database, schema);
  } finally {
    database.close();
  }
}

function refuseForeign(database: DatabaseSyncInstance, file: string, schema: Schema): void {
  const { applicationId, migrations, keeping } = schema;
  const version = numberAt(database, "PRAGMA user_version");
  const isOurs = numberAt(database, "PRAGMA application_id") === applicationId;
  if (!isOurs && numberAt(database, "SELECT count(*) FROM sqlite_schema") > 0) {
    throw new PmcoderError(
      "storage",
      `${file} is a database of another program, expected ${keeping.expected}. Choose ${keeping.another}.`,
    );
  }
  if (version > migrations.length) {
    throw new PmcoderError(
      "storage",
      `${file} was written by a newer pmcoder (schema ${version}; this one knows ${migrations.length}). Update pmcoder, or choose ${keeping.another}.`,
    );
  }
}

/** All missing versions in one transaction; whoever comes second finds nothing to do. */
function migrate(database: DatabaseSyncInstance, { applicationId, migrations }: Schema): void {
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
