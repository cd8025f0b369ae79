import { Client, Pool, type PoolClient, type QueryResult, type QueryResultRow } from "pg";
import type { Clock } from "../domain/clock.ts";
import { PmcoderError } from "../domain/errors.ts";
import { isConnectionLoss, postgresError } from "./postgres-error.ts";

/**
 * Of one journal or queue. Our choice: twenty workers with both stay below the 100 that a server
 * grants by default, and two keep 200 episodes waiting for a few milliseconds.
 */
const connections = 2;

/** Our choice: more than any statement here takes, and less than an episode should stand still. */
const patienceMs = 30_000;

/** Between tries to get a lost server back. Our choice: a restart takes seconds, a failover a minute. */
const waitsMs: readonly number[] = [0, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000];

/** pg-boss asks for it. */
const oldestVersion = 13;

/** A database, over a few connections that are made anew when they are lost. */
export class PostgresServer {
  /** For messages; without the password. */
  readonly name: string;
  readonly #pool: Pool;
  readonly #clock: Pick<Clock, "sleep">;
  readonly #closing = new AbortController();

  constructor(pool: Pool, name: string, clock: Pick<Clock, "sleep">) {
    this.#pool = pool;
    this.name = name;
    this.#clock = clock;
    // A connection that is lost while nobody uses it; whoever asks next gets another one.
    pool.on("error", () => {});
  }

  /** One statement. It is sent again when its connection is lost: it must bear to happen twice. */
  query<R extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<QueryResult<R>> {
    return this.#patiently(() => this.#pool.query<R>(text, [...values]));
  }

  /** All of `work` or nothing, done again when its connection is lost: it must bear to happen twice. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.#patiently(() => this.#transact(work));
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#pool.end();
  }

  async #transact<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    // Its query is told as well; without a listener the process would end.
    const tellNobody = () => {};
    client.on("error", tellNobody);
    let broken = true;
    try {
      await client.query("BEGIN");
      const result = await work(client);
      await client.query("COMMIT");
      broken = false;
      return result;
    } finally {
      client.off("error", tellNobody);
      // Ending the connection takes back what was not committed.
      client.release(broken);
    }
  }

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    for (const waitMs of waitsMs) {
      try {
        return await work();
      } catch (error) {
        if (!isConnectionLoss(error) || this.#closing.signal.aborted) throw error;
        await this.#clock.sleep(waitMs, this.#closing.signal).catch(() => {});
      }
    }
    return work();
  }
}

/**
 * Connects. `url`: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, or with `?host=/FOLDER` the socket
 * there; what it leaves out comes from PGHOST and the like. Rejects with PmcoderError `usage` for
 * another kind of address, `storage` when the server cannot be reached or is too old.
 */
export async function connectPostgres(
  url: string,
  clock: Pick<Clock, "sleep">,
): Promise<PostgresServer> {
  const name = nameOf(url);
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    keepAlive: true,
    application_name: "pmcoder",
  });
  try {
    const { rows } = await pool.query<{ version: string }>(
      "SELECT current_setting('server_version') AS version",
    );
    refuseOld(name, rows[0]?.version ?? "");
    return new PostgresServer(pool, name, clock);
  } catch (error) {
    await pool.end();
    throw postgresError(name, "connect to", error);
  }
}

/** As pg understands the address, so that a message names the place that was really asked. */
function nameOf(url: string): string {
  try {
    if (!/^postgres(ql)?:\/\//.test(url)) throw new Error("not one of PostgreSQL");
    const { host, port, database = "" } = new Client(url);
    return `the PostgreSQL database ${database} at ${host.startsWith("/") ? host : `${host}:${port}`}`;
  } catch {
    // Neither the address nor the error of parsing it is shown: both may hold the password.
    throw new PmcoderError(
      "usage",
      "The store's address cannot be read. Expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, in which special characters of user and password are written as %XX.",
    );
  }
}

function refuseOld(name: string, version: string): void {
  if (Number.parseInt(version, 10) >= oldestVersion) return;
  throw new PmcoderError(
    "storage",
    `Cannot use ${name}: it is version ${version}, expected ${oldestVersion} or newer. Name another server with --store.`,
  );
}
