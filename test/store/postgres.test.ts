import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/cli/compose.ts";
import { openPostgresJournal } from "../../src/store/postgres.ts";
import { describeJournal } from "../contracts/journal.ts";
import { stoppedClock } from "../stopped-clock.ts";
import { beginEvent, episodeEvents } from "../trajectories/recorded-episode.ts";
import { PostgresProxy } from "./postgres-proxy.ts";
import { hasPostgres, PostgresTestServer } from "./postgres-server.ts";

const note = (text: string) => ({ type: "notice", text }) as const;

describe.runIf(hasPostgres)("PostgreSQL", () => {
  let server: PostgresTestServer;
  beforeAll(async () => {
    server = await PostgresTestServer.start();
  });
  afterAll(() => server.stop());

  let database: string;
  beforeEach(async () => {
    database = await server.createDatabase();
  });

  describeJournal("PostgreSQL", async () => {
    const clock = stoppedClock();
    const journal = await openPostgresJournal(server.url(database), clock);
    return { journal, advance: clock.advance, now: clock.now, close: () => journal.close() };
  });

  describe("the journal", () => {
    const opened: { close(): Promise<void> }[] = [];
    const open = async (url = server.url(database)) => {
      const journal = await openPostgresJournal(url, systemClock);
      opened.push(journal);
      return journal;
    };
    afterEach(async () => {
      for (const journal of opened.splice(0)) await journal.close();
    });

    it("numbers without gaps what several write at once, also to one run", async () => {
      const journals = await Promise.all([open(), open(), open()]);
      for (const run of ["r0", "r1", "shared"]) await journals[0]?.append(run, [beginEvent(run)]);
      await Promise.all(
        journals.flatMap((journal, n) =>
          Array.from({ length: 40 }, (_, k) =>
            journal.append(k % 2 ? `r${n % 2}` : "shared", [note(`${n}/${k}`), note("again")]),
          ),
        ),
      );
      for (const [run, events] of [
        ["r0", 81],
        ["r1", 41],
        ["shared", 121],
      ] as const) {
        const read = await journals[0]?.read(run);
        expect(read?.map(({ seq }) => seq)).toEqual(Array.from({ length: events }, (_, n) => n));
      }
    });

    it("lets one of many begin a run", async () => {
      const journals = await Promise.all([open(), open(), open(), open()]);
      const begun = await Promise.allSettled(
        journals.map((journal) => journal.append("r1", [beginEvent("r1"), note("mine")])),
      );
      expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await journals[0]?.read("r1")).toHaveLength(2);
    });

    it("goes on over new connections when they were cut, idle or not", async () => {
      const journal = await open();
      await journal.append("r1", [beginEvent("r1")]);
      await server.cut(database);
      await journal.append("r1", [note("after an idle cut")]);
      const many = Array.from({ length: 100 }, (_, n) => journal.append("r1", [note(`${n}`)]));
      for (let cuts = 0; cuts < 5; cuts += 1) await server.cut(database);
      await Promise.all(many);
      const events = await journal.read("r1");
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, seq) => seq));
      const told = events.map((event) => (event.type === "notice" ? event.text : ""));
      expect(told.slice(2).sort()).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`).sort());
    });

    it.each([
      ["a beginning", () => [beginEvent("r1")], 0],
      ["an append", () => [note("a"), note("b")], 2],
    ] as const)(
      "writes %s once when the server's answer to it is lost",
      async (_what, events, last) => {
        const proxy = await PostgresProxy.open(server.url(database));
        const journal = await open(proxy.through(server.url(database)));
        opened.push(proxy);
        if (last > 0) await journal.append("r1", [beginEvent("r1")]);
        proxy.loseAnswer("INSERT 0 1");
        const written = await journal.append("r1", events());
        expect(written.at(-1)?.seq).toBe(last);
        expect(await journal.read("r1")).toHaveLength(last + 1);
        expect((await journal.append("r1", [note("next")]))[0]?.seq).toBe(last + 1);
        await journal.close();
        await proxy.close();
      },
    );

    it("waits for a server that crashed and comes back, and has lost nothing", async () => {
      const journal = await open();
      await journal.append("r1", episodeEvents("r1"));
      await server.crash();
      const appended = journal.append("r1", [note("resumed")]);
      await server.resume();
      expect((await appended)[0]?.seq).toBe(episodeEvents("r1").length);
      expect(await journal.read("r1")).toHaveLength(episodeEvents("r1").length + 1);
    });

    it("says which run cannot be read when a row is damaged, and still reads the others", async () => {
      const journal = await open();
      for (const run of ["r1", "r2"]) await journal.append(run, [beginEvent(run), note("hello")]);
      await server.query(
        database,
        "UPDATE pmcoder.appends SET events = '\\x00ff' WHERE number = 1",
      );
      await expect(journal.read("r1")).rejects.toMatchObject({
        code: "storage",
        message: `A row of ${server.name(database)} is damaged: the events of run r1 up to seq 1 cannot be read. Other runs in it are not affected.`,
      });
      expect(await journal.read("r2")).toHaveLength(2);
    });

    it("fails with what to do when its user may not write", async () => {
      const journal = await open();
      await journal.append("r1", [beginEvent("r1")]);
      await server.query(
        database,
        `ALTER DATABASE ${database} SET default_transaction_read_only = on`,
      );
      await server.cut(database);
      await expect(journal.append("r1", [note("a")])).rejects.toMatchObject({
        code: "storage",
        message: `Cannot write to ${server.name(database)}: it is read-only. Name the primary server, not a standby.`,
      });
      expect(await journal.read("r1")).toHaveLength(1);
    });
  });
});
