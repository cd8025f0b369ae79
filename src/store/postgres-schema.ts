import type { PoolClient } from "pg";
import { PmcoderError } from "../domain/errors.ts";
import type { PostgresServer } from "./postgres-server.ts";

/** "pmcoder" in ASCII, as a number: what holds all who open a database, one after the other. */
const openingLock = "31645471229633906";

/**
 * Version n is what the first n of these make; a released one never changes. `append` names an
 * append wherever it was tried, so that one that is sent again stands there once. Rows of runs are
 * updated at each append: room in their pages keeps that from touching an index. Events are not
 * compressed a second time.
 */
const migrations: readonly string[] = [
  `CREATE TABLE pmcoder.runs (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run text NOT NULL UNIQUE,
    instance_id text,
    arm text NOT NULL,
    model text NOT NULL,
    started_at bigint NOT NULL,
    status text NOT NULL,
    next_seq bigint NOT NULL
  ) WITH (fillfactor = 50);
  CREATE TABLE pmcoder.appends (
    number bigint NOT NULL,
    last_seq bigint NOT NULL,
    at bigint NOT NULL,
    append uuid NOT NULL UNIQUE,
    events bytea NOT NULL,
    PRIMARY KEY (number, last_seq)
  );
  ALTER TABLE pmcoder.appends ALTER COLUMN events SET STORAGE EXTERNAL;`,
  `CREATE TABLE pmcoder.documents (
    experiment text NOT NULL,
    key text NOT NULL,
    document text NOT NULL,
    PRIMARY KEY (experiment, key)
  );
  CREATE TABLE pmcoder.spending (
    experiment text NOT NULL,
    job text NOT NULL,
    spent double precision NOT NULL,
    is_reserved boolean NOT NULL,
    PRIMARY KEY (experiment, job)
  );`,
];

/**
 * Brings the schema `pmcoder` of a database to the newest version. Whoever opens at the same time
 * waits; who comes second finds nothing to do. Throws PmcoderError `storage` for a schema of another
 * program or of a newer pmcoder, unchanged.
 */
export async function migratePostgres(server: PostgresServer): Promise<void> {
  await opening(server, async (client) => {
    const version = await versionOf(client, server.name);
    if (version > migrations.length) {
      throw new PmcoderError(
        "storage",
        `${capitalized(server.name)} was written by a newer pmcoder (schema ${version}; this one knows ${migrations.length}). Update pmcoder on this host, or name another database with --store.`,
      );
    }
    if (version === migrations.length) return;
    for (const migration of migrations.slice(version)) await client.query(migration);
    await client.query("DELETE FROM pmcoder.schema_version");
    await client.query("INSERT INTO pmcoder.schema_version VALUES ($1)", [migrations.length]);
  });
}

/** Runs `work` in a transaction, while nobody else opens this database. */
export function opening(
  server: PostgresServer,
  work: (client: PoolClient) => Promise<void>,
): Promise<void> {
  return server.transaction(async (client) => {
    await client.query(`SELECT pg_advisory_xact_lock(${openingLock})`);
    await work(client);
  });
}

/** The schema's version, 0 for a new one, which is made if it is not there. */
async function versionOf(client: PoolClient, name: string): Promise<number> {
  const { rows } = await client.query<{ stands: boolean; ours: boolean; tables: number }>(
    `SELECT to_regnamespace('pmcoder') IS NOT NULL AS stands,
      to_regclass('pmcoder.schema_version') IS NOT NULL AS ours,
      (SELECT count(*)::int FROM pg_tables WHERE schemaname = 'pmcoder') AS tables`,
  );
  const [found] = rows;
  if (found?.ours) {
    const read = await client.query<{ version: number }>(
      "SELECT version FROM pmcoder.schema_version",
    );
    return read.rows[0]?.version ?? 0;
  }
  if (found && found.tables > 0) {
    throw new PmcoderError(
      "storage",
      `The schema pmcoder of ${name} belongs to another program. Name another database with --store.`,
    );
  }
  if (!found?.stands) await client.query("CREATE SCHEMA pmcoder");
  await client.query("CREATE TABLE pmcoder.schema_version (version integer NOT NULL)");
  return 0;
}

const capitalized = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
