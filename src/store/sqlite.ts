import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import type { Clock } from "../domain/clock.ts";
import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Journal, RunRow } from "../domain/journal.ts";
import { decodeEvents, encodeEvents, recordEvents } from "./event-codec.ts";
import { inTransaction, openDatabase } from "./open-database.ts";
import { journalSchema } from "./schema.ts";
import { storageError } from "./storage-error.ts";

/** Milliseconds that a writer waits for another one. Our choice: far above any transaction's time. */
const patienceMs = 10_000;

/** Room for the events of one run in an append's id. */
const seqsPerRun = 2 ** 32;

interface KnownRun {
  readonly number: number;
  readonly status: string;
}

/**
 * The journal in an SQLite file: several processes may append and read at once. `file` is a path
 * whose folder exists, or `:memory:`. Throws PmcoderError `storage` when the file cannot be opened,
 * is damaged, another program's, or newer than this pmcoder; later also when another process keeps
 * it locked for `waitMs`.
 */
export function openJournal(
  file: string,
  clock: Pick<Clock, "now">,
  waitMs: number = patienceMs,
): Journal {
  try {
    return new SqliteJournal(openDatabase(file, waitMs, journalSchema), file, clock);
  } catch (error) {
    throw storageError(file, "open", error);
  }
}

class SqliteJournal implements Journal {
  readonly #database: DatabaseSyncInstance;
  readonly #file: string;
  readonly #clock: Pick<Clock, "now">;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: DatabaseSyncInstance, file: string, clock: Pick<Clock, "now">) {
    this.#database = database;
    this.#file = file;
    this.#clock = clock;
    this.#statements = prepare(database);
  }

  async append(run: string, events: readonly EpisodeEvent[]): Promise<readonly RecordedEvent[]> {
    if (events.length === 0) return [];
    const at = this.#clock.now();
    return this.#attempt("write to", () =>
      inTransaction(this.#database, () => {
        const number = this.#numberOf(run, events, at);
        const first = this.#nextSeq(number);
        const id = number * seqsPerRun + first + events.length - 1;
        this.#statements.append.run(id, at, encodeEvents(events));
        return recordEvents(run, events, first, at);
      }),
    );
  }

  async read(run: string): Promise<readonly RecordedEvent[]> {
    return this.#attempt("read", () => {
      const found = this.#find(run);
      if (!found) return [];
      const from = found.number * seqsPerRun;
      const rows = this.#statements.read.all(from, from + seqsPerRun - 1);
      return rows.flatMap((row) => this.#decode(run, row as unknown as AppendRow, from));
    });
  }

  async runs(): Promise<readonly RunRow[]> {
    return this.#attempt(
      "read",
      () => this.#statements.runs.all().map((row) => ({ ...row })) as unknown as readonly RunRow[],
    );
  }

  /**
   * Moves what is in the write-ahead log into the file, unless others are still using it. Asked for
   * in words because the driver itself lets go of the file only once its statements are collected.
   */
  async close(): Promise<void> {
    this.#attempt("close", () => {
      if (!this.#database.isOpen) return;
      this.#database.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE);");
      this.#database.close();
    });
  }

  /** The run's number; its row follows the events, and is written only when it changes. */
  #numberOf(run: string, events: readonly EpisodeEvent[], at: number): number {
    const known = this.#find(run);
    const begin = events.find((event) => event.type === "begin");
    const last = events.at(-1);
    const status = last?.type === "end" ? last.status : "running";
    if (begin) {
      if (known) throw this.#misuse(run, "begins a second time");
      const { instanceId, arm, model } = begin;
      const { begin: insert } = this.#statements;
      return Number(insert.run(run, instanceId, arm, model, at, status).lastInsertRowid);
    }
    if (!known) throw this.#misuse(run, "has not begun");
    if (known.status !== status) this.#statements.setStatus.run(status, run);
    return known.number;
  }

  #find(run: string): KnownRun | undefined {
    return this.#statements.find.get(run) as unknown as KnownRun | undefined;
  }

  #nextSeq(number: number): number {
    const from = number * seqsPerRun;
    const newest = this.#statements.newest.get(from, from + seqsPerRun - 1);
    const id: unknown = newest?.["id"];
    return typeof id === "number" ? id - from + 1 : 0;
  }

  #decode(
    run: string,
    { id, at, events: bytes }: AppendRow,
    from: number,
  ): readonly RecordedEvent[] {
    const last = id - from;
    try {
      const events = decodeEvents(bytes);
      return recordEvents(run, events, last - events.length + 1, at);
    } catch (cause) {
      throw new PmcoderError(
        "storage",
        `${this.#file} is damaged: the events of run ${run} up to seq ${last} cannot be read. Other runs in it are not affected.`,
        { cause },
      );
    }
  }

  #misuse(run: string, what: string): PmcoderError {
    return new PmcoderError("internal", `Run ${run} in ${this.#file} ${what}.`);
  }

  #attempt<T>(doing: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storageError(this.#file, doing, error);
    }
  }
}

interface AppendRow {
  readonly id: number;
  readonly at: number;
  readonly events: Uint8Array;
}

function prepare(database: DatabaseSyncInstance) {
  const statement = (sql: string): StatementSyncInstance => database.prepare(sql);
  return {
    find: statement("SELECT number, status FROM runs WHERE run = ?"),
    begin: statement(
      "INSERT INTO runs (run, instance_id, arm, model, started_at, status) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    setStatus: statement("UPDATE runs SET status = ? WHERE run = ?"),
    newest: statement("SELECT max(id) AS id FROM appends WHERE id BETWEEN ? AND ?"),
    append: statement("INSERT INTO appends (id, at, events) VALUES (?, ?, ?)"),
    read: statement("SELECT id, at, events FROM appends WHERE id BETWEEN ? AND ? ORDER BY id"),
    runs: statement(
      `SELECT run, instance_id AS instanceId, arm, model, started_at AS startedAt, status
       FROM runs ORDER BY started_at DESC, number DESC`,
    ),
  };
}
