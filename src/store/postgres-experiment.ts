import type { Admission, Budget } from "../domain/budget.ts";
import type { Clock } from "../domain/clock.ts";
import { postgresError } from "./postgres-error.ts";
import { migratePostgres } from "./postgres-schema.ts";
import { connectPostgres, type PostgresServer } from "./postgres-server.ts";

/** Decides from what others have spent, and how many of them have a run under way. */
type AdmissionRule = (spent: number, running: number) => Admission;

/** What the workers of an experiment share beside its queue and the journal. */
export interface PostgresExperiment {
  /** Puts documents, JSON each, over those of the same keys. */
  put(documents: ReadonlyMap<string, unknown>): Promise<void>;
  /** What JSON kept of a document; undefined: there is none. */
  read(key: string): Promise<unknown>;
  budget(rule: AdmissionRule): Budget;
  close(): Promise<void>;
}

/** Documents in one statement, so that none grows too long. Our choice. */
const documentsPerInsert = 50;

/**
 * The documents and the money of the experiment `name` in a PostgreSQL database. Rejects as
 * `openPostgresJournal` does.
 */
export async function openPostgresExperiment(
  url: string,
  name: string,
  clock: Pick<Clock, "sleep">,
): Promise<PostgresExperiment> {
  const server = await connectPostgres(url, clock);
  try {
    await migratePostgres(server);
  } catch (error) {
    await server.close();
    throw postgresError(server.name, "open", error);
  }
  const attempt = async <T>(doing: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw postgresError(server.name, `${doing} the experiment in`, error);
    }
  };
  return {
    put: (documents) => attempt("write to", () => put(server, name, documents)),
    read: (key) => attempt("read", () => read(server, name, key)),
    budget: (rule) => ({
      admit: (job, spent) =>
        attempt("write to", () => admit(server, { experiment: name, job, spent }, rule)),
      outlook: () => attempt("read", async () => rule(...(await standing(server, [name, null])))),
      settle: (job, spent) =>
        attempt("write to", async () => {
          await server.query(statements.account, [name, job, spent, false]);
        }),
    }),
    close: () => server.close(),
  };
}

async function put(
  server: PostgresServer,
  name: string,
  documents: ReadonlyMap<string, unknown>,
): Promise<void> {
  const entries = [...documents];
  for (let from = 0; from < entries.length; from += documentsPerInsert) {
    const some = entries.slice(from, from + documentsPerInsert);
    const keys = some.map(([key]) => key);
    const texts = some.map(([, document]) => JSON.stringify(document));
    await server.query(statements.put, [name, keys, texts]);
  }
}

async function read(server: PostgresServer, name: string, key: string): Promise<unknown> {
  const { rows } = await server.query<{ document: string }>(statements.read, [name, key]);
  return rows[0] && JSON.parse(rows[0].document);
}

interface Asked {
  readonly experiment: string;
  readonly job: string;
  readonly spent: number;
}

/** One worker after the other asks, so that two never count on the same money. */
function admit(
  server: PostgresServer,
  { experiment, job, spent }: Asked,
  rule: AdmissionRule,
): Promise<Admission> {
  return server.transaction(async (client) => {
    await client.query(statements.lock, [experiment]);
    const [before, running] = await standing(client, [experiment, job]);
    const admission = rule(before + spent, running);
    if (admission === "yes") {
      await client.query(statements.account, [experiment, job, spent, true]);
    }
    return admission;
  });
}

/** What all jobs of an experiment but one, or all with null, have spent, and how many of them run. */
async function standing(
  client: Pick<PostgresServer, "query">,
  [experiment, but]: readonly [string, string | null],
): Promise<[spent: number, running: number]> {
  const { rows } = await client.query<{ spent: number; running: number }>(statements.standing, [
    experiment,
    but,
  ]);
  const { spent = 0, running = 0 } = rows[0] ?? {};
  return [spent, running];
}

const statements = {
  put: `INSERT INTO pmcoder.documents (experiment, key, document)
    SELECT $1, * FROM unnest($2::text[], $3::text[])
    ON CONFLICT (experiment, key) DO UPDATE SET document = excluded.document`,
  read: "SELECT document FROM pmcoder.documents WHERE experiment = $1 AND key = $2",
  lock: "SELECT pg_advisory_xact_lock(hashtextextended('pmcoder budget ' || $1, 0))",
  standing: `SELECT COALESCE(sum(spent), 0)::float AS spent,
      count(*) FILTER (WHERE is_reserved)::int AS running
    FROM pmcoder.spending WHERE experiment = $1 AND job IS DISTINCT FROM $2`,
  account: `INSERT INTO pmcoder.spending (experiment, job, spent, is_reserved)
    VALUES ($1, $2, $3, $4)
    ON CONFLICT (experiment, job)
    DO UPDATE SET spent = excluded.spent, is_reserved = excluded.is_reserved`,
};
