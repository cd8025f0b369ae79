import { randomUUID } from "node:crypto";
import type { Clock } from "../domain/clock.ts";
import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Journal, RunRow } from "../domain/journal.ts";
import { decodeEvents, encodeEvents, recordEvents } from "./event-codec.ts";
import { isDuplicate, postgresError } from "./postgres-error.ts";
import { migratePostgres } from "./postgres-schema.ts";
import { connectPostgres, type PostgresServer } from "./postgres-server.ts";

/**
 * The journal in a PostgreSQL database, in a schema `pmcoder` that is made if it is missing: many
 * hosts may append and read at once. An append whose connection is lost is sent again over another
 * one for about a minute, and stands there once, whether or not the server had written it before.
 * Rejects with PmcoderError `storage` when the server cannot be reached, refuses the user, or holds
 * the schema of another program or of a newer pmcoder; `usage` when `url` is no address of one.
 */
export async function openPostgresJournal(url: string, clock: Clock): Promise<Journal> {
  const server = await connectPostgres(url, clock);
  try {
    await migratePostgres(server);
    return new PostgresJournal(server, clock);
  } catch (error) {
    await server.close();
    throw postgresError(server.name, "open", error);
  }
}

class PostgresJournal implements Journal {
  readonly #server: PostgresServer;
  readonly #clock: Pick<Clock, "now">;

  constructor(server: PostgresServer, clock: Pick<Clock, "now">) {
    this.#server = server;
    this.#clock = clock;
  }

  async append(run: string, events: readonly EpisodeEvent[]): Promise<readonly RecordedEvent[]> {
    if (events.length === 0) return [];
    const at = this.#clock.now();
    const last = await this.#attempt("write to", () => this.#write(run, events, at));
    return recordEvents(run, events, last - events.length + 1, at);
  }

  read(run: string): Promise<readonly RecordedEvent[]> {
    return this.#attempt("read", async () => {
      const { rows } = await this.#server.query<AppendRow>(statements.read, [run]);
      return rows.flatMap((row) => this.#decode(run, row));
    });
  }

  runs(): Promise<readonly RunRow[]> {
    return this.#attempt("read", async () => {
      const { rows } = await this.#server.query<RunRow>(statements.runs);
      return rows.map((row) => ({ ...row, startedAt: Number(row.startedAt) }));
    });
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** The seq of the last event. */
  async #write(run: string, events: readonly EpisodeEvent[], at: number): Promise<number> {
    const append = randomUUID();
    const begin = events.find((event) => event.type === "begin");
    const last = events.at(-1);
    const status = last?.type === "end" ? last.status : "running";
    const stored = [run, status, events.length, at, append, encodeEvents(events)];
    const [statement, values] = begin
      ? [statements.begin, [...stored, begin.instanceId, begin.arm, begin.model]]
      : [statements.append, stored];
    try {
      const { rows } = await this.#server.query<LastRow>(statement, values);
      if (rows[0]) return Number(rows[0].lastSeq);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const { rows } = await this.#server.query<LastRow>(statements.written, [append]);
      if (rows[0]) return Number(rows[0].lastSeq);
      throw this.#misuse(run, "begins a second time");
    }
    throw this.#misuse(run, "has not begun");
  }

  #decode(run: string, { lastSeq, at, events: bytes }: AppendRow): readonly RecordedEvent[] {
    const last = Number(lastSeq);
    try {
      const events = decodeEvents(bytes);
      return recordEvents(run, events, last - events.length + 1, Number(at));
    } catch (cause) {
      throw new PmcoderError(
        "storage",
        `A row of ${this.#server.name} is damaged: the events of run ${run} up to seq ${last} cannot be read. Other runs in it are not affected.`,
        { cause },
      );
    }
  }

  #misuse(run: string, what: string): PmcoderError {
    return new PmcoderError("internal", `Run ${run} in ${this.#server.name} ${what}.`);
  }

  async #attempt<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw postgresError(this.#server.name, doing, error);
    }
  }
}

/** 64-bit numbers come as texts. */
interface LastRow {
  readonly lastSeq: string;
}

interface AppendRow extends LastRow {
  readonly at: string;
  readonly events: Uint8Array;
}

/** From a row of `runs` whose `next_seq` counts the events that are about to be written. */
const insertAppend = `
  INSERT INTO pmcoder.appends (number, last_seq, at, append, events)
  SELECT number, next_seq - 1, $4, $5, $6 FROM moved
  RETURNING last_seq AS "lastSeq"`;

/** One statement an append, so one transaction and one round trip. */
const statements = {
  begin: `WITH moved AS (
    INSERT INTO pmcoder.runs (run, status, next_seq, started_at, instance_id, arm, model)
    VALUES ($1, $2, $3, $4, $7, $8, $9) RETURNING number, next_seq
  ) ${insertAppend}`,
  append: `WITH moved AS (
    UPDATE pmcoder.runs SET next_seq = next_seq + $3, status = $2 WHERE run = $1
    RETURNING number, next_seq
  ) ${insertAppend}`,
  written: `SELECT last_seq AS "lastSeq" FROM pmcoder.appends WHERE append = $1`,
  read: `SELECT last_seq AS "lastSeq", at, events FROM pmcoder.appends
    WHERE number = (SELECT number FROM pmcoder.runs WHERE run = $1) ORDER BY last_seq`,
  runs: `SELECT run, instance_id AS "instanceId", arm, model, started_at AS "startedAt", status
    FROM pmcoder.runs ORDER BY started_at DESC, number DESC`,
};
