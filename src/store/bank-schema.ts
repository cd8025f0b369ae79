import type { Schema } from "./open-database.ts";
import { bankKeeping } from "./storage-error.ts";

/**
 * A bank of memories. `places` are systems, kinds and repositories; `vectors` are what a ranking
 * reads (see term-vector.ts), field by field of a place, one after another; `terms` names their
 * numbers, which are never used again, because another process may still know an old one.
 * `generation` grows with every change of what is found, not with counts of use.
 *
 * Deleted content is overwritten. Each transaction is synced before it returns.
 */
export const bankSchema: Schema = {
  // "pmcb"
  applicationId: 0x706d6362,
  migrations: [
    `CREATE TABLE places (
      number INTEGER PRIMARY KEY,
      system TEXT NOT NULL,
      kind TEXT NOT NULL,
      repo TEXT
    ) STRICT;
    CREATE INDEX places_by_name ON places (system, kind, repo);
    CREATE TABLE issues (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      identity TEXT NOT NULL UNIQUE,
      instance_id TEXT,
      repo TEXT,
      created_at REAL,
      issue_key TEXT NOT NULL
    ) STRICT;
    CREATE TABLE issue_texts (number INTEGER PRIMARY KEY, issue TEXT NOT NULL) STRICT;
    CREATE TABLE memories (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      place INTEGER NOT NULL,
      issue INTEGER NOT NULL,
      labels TEXT NOT NULL,
      learned_from TEXT NOT NULL,
      learned_at INTEGER NOT NULL,
      uses INTEGER NOT NULL,
      helped INTEGER NOT NULL,
      harmed INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX memories_by_place ON memories (place, position, issue, id, labels);
    CREATE INDEX memories_by_issue ON memories (issue);
    CREATE TABLE payloads (position INTEGER PRIMARY KEY, payload TEXT NOT NULL) STRICT;
    CREATE TABLE vectors (
      place INTEGER NOT NULL,
      field TEXT NOT NULL,
      position INTEGER NOT NULL,
      length INTEGER NOT NULL,
      terms BLOB NOT NULL,
      PRIMARY KEY (place, field, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE terms (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      term TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE state (generation INTEGER NOT NULL) STRICT;
    INSERT INTO state VALUES (0);`,
  ],
  file: "",
  connection: `
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
  `,
  keeping: bankKeeping,
};
