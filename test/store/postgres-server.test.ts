import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import { openPostgresJournal } from "../../src/store/postgres.ts";
import { stoppedClock } from "../stopped-clock.ts";
import { beginEvent } from "../trajectories/recorded-episode.ts";
import { hasPostgres, PostgresTestServer } from "./postgres-server.ts";

/** How the journal at `url` refuses to open. */
async function refusal(url: string): Promise<PmcoderError> {
  try {
    await (await openPostgresJournal(url, stoppedClock())).close();
  } catch (error) {
    if (error instanceof PmcoderError) return error;
    throw error;
  }
  throw new Error("it was opened");
}

describe("an address", () => {
  it.each([
    "pmcoder.db",
    "mysql://ada:s3cret@db.example.org/pmcoder",
    "postgres://ada:s3cret@db.example.org:port/pmcoder",
    "postgres://ada:s3/cret@db.example.org/pmcoder",
  ])("that is none of PostgreSQL is refused without showing the password: %s", async (url) => {
    const error = await refusal(url);
    expect(error.code).toBe("usage");
    expect(error.message).toBe(
      "The store's address cannot be read. Expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, in which special characters of user and password are written as %XX.",
    );
    expect(error.cause).toBeUndefined();
  });

  it("where nobody listens is refused with what to check", async () => {
    expect(await refusal("postgres://ada:s3cret@127.0.0.1:1/pmcoder")).toMatchObject({
      code: "storage",
      message:
        "Cannot connect to the PostgreSQL database pmcoder at 127.0.0.1:1: it cannot be reached, or ended the connection. Check that it runs and that this host may connect; what was recorded before is kept.",
    });
  });
});

describe.runIf(hasPostgres)("a PostgreSQL server", () => {
  let server: PostgresTestServer;
  beforeAll(async () => {
    server = await PostgresTestServer.start();
  });
  afterAll(() => server.stop());

  let database: string;
  beforeEach(async () => {
    database = await server.createDatabase();
  });

  const as = (user: string) => server.url(database).replace("postgres:s3cret@", `${user}:s3cret@`);
  const reason = async (url: string) =>
    (await refusal(url)).message.replace(server.name(database), "DATABASE");

  it("that does not know the user or the database is refused with what to do", async () => {
    expect(await reason(as("ada"))).toBe(
      "Cannot connect to DATABASE: it does not accept this user or password. Check both in the address.",
    );
    expect((await refusal(server.url("nowhere"))).message).toBe(
      `Cannot connect to ${server.name("nowhere")}: there is no such database. Make it with createdb, or name another one with --store postgres://USER@HOST/DATABASE.`,
    );
  });

  it("needs a user who may make a schema, or one that was made for that user", async () => {
    await server.query(database, "CREATE ROLE ada LOGIN");
    expect(await reason(as("ada"))).toBe(
      "Cannot open DATABASE: this user may not do that. Let the database's owner grant it CREATE on the database, or name the user who opened it first.",
    );
    await server.query(database, "CREATE SCHEMA pmcoder AUTHORIZATION ada");
    const journal = await openPostgresJournal(as("ada"), stoppedClock());
    await journal.append("r1", [beginEvent("r1")]);
    await journal.close();
  });

  it("is refused, and left as it is, when its schema is another program's", async () => {
    await server.query(
      database,
      "CREATE SCHEMA pmcoder; CREATE TABLE pmcoder.bookmarks (url text)",
    );
    expect(await reason(server.url(database))).toBe(
      "The schema pmcoder of DATABASE belongs to another program. Name another database with --store.",
    );
    expect(
      await server.query(database, "SELECT tablename FROM pg_tables WHERE schemaname = 'pmcoder'"),
    ).toEqual([{ tablename: "bookmarks" }]);
  });

  it("is refused, and left as it is, when a newer pmcoder wrote it", async () => {
    await (await openPostgresJournal(server.url(database), stoppedClock())).close();
    await server.query(database, "UPDATE pmcoder.schema_version SET version = 7");
    const { code, message } = await refusal(server.url(database));
    expect([code, message.replace(server.name(database).slice(4), "DATABASE")]).toEqual([
      "storage",
      "The DATABASE was written by a newer pmcoder (schema 7; this one knows 2). Update pmcoder on this host, or name another database with --store.",
    ]);
    expect(await server.query(database, "SELECT version FROM pmcoder.schema_version")).toEqual([
      { version: 7 },
    ]);
  });

  it("may lend its database to other schemas", async () => {
    await server.query(database, "CREATE TABLE bookmarks (url text)");
    await (await openPostgresJournal(server.url(database), stoppedClock())).close();
    await (await openPostgresJournal(server.url(database), stoppedClock())).close();
    expect(await server.query(database, "SELECT url FROM bookmarks")).toEqual([]);
  });
});
