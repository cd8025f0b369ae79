import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import { openJournal } from "../../src/store/sqlite.ts";
import { describeJournal } from "../contracts/journal.ts";
import { stoppedClock } from "../stopped-clock.ts";
import { beginEvent, episodeEvents } from "../trajectories/recorded-episode.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pmcoder-store-"));
  file = join(folder, "pmcoder.db");
});
afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

const clock = { now: () => 1_800_000_000_000 };
const note = (text: string) => ({ type: "notice", text }) as const;

for (const place of ["a file", ":memory:"]) {
  describeJournal(`SQLite in ${place}`, () => {
    const home = mkdtempSync(join(tmpdir(), "pmcoder-journal-"));
    const ticking = stoppedClock();
    const name = place === ":memory:" ? place : join(home, "pmcoder.db");
    const journal = openJournal(name, ticking);
    return {
      journal,
      advance: ticking.advance,
      now: ticking.now,
      close: async () => {
        await journal.close();
        rmSync(home, { recursive: true, force: true });
      },
    };
  });
}

/** A refusal to open, by its words. */
function refusal(path = file): PmcoderError {
  try {
    void openJournal(path, clock).close();
  } catch (error) {
    if (error instanceof PmcoderError) return error;
    throw error;
  }
  throw new Error("it was opened");
}

describe("a database that cannot be used", () => {
  it("is refused when it is damaged, and left as it is", () => {
    const bytes = Buffer.from("This was a database once. ".repeat(200));
    writeFileSync(file, bytes);
    expect(refusal()).toMatchObject({
      code: "storage",
      message: expect.stringMatching(
        /^Cannot open .*: it is damaged, or no database\. Nothing was changed\. Go on in another/,
      ),
    });
    expect(readFileSync(file)).toEqual(bytes);
  });

  it("is refused when it is another program's, and left as it is", () => {
    const other = new DatabaseSync(file);
    other.exec("CREATE TABLE bookmarks (url TEXT)");
    other.close();
    const bytes = readFileSync(file);
    expect(refusal().message).toBe(
      `${file} is a database of another program, expected one of pmcoder. Choose another folder with --state.`,
    );
    expect(readFileSync(file)).toEqual(bytes);
  });

  it("is refused when a newer pmcoder wrote it, and left as it is", async () => {
    await openJournal(file, clock).close();
    const newer = new DatabaseSync(file);
    newer.exec("PRAGMA user_version = 7");
    newer.close();
    expect(refusal().message).toBe(
      `${file} was written by a newer pmcoder (schema 7; this one knows 1). Update pmcoder, or choose another folder with --state.`,
    );
    expect(refusal().code).toBe("storage");
  });

  it("is refused where its folder is missing", () => {
    const path = join(folder, "nowhere", "pmcoder.db");
    expect(refusal(path).message).toMatch(
      /^Cannot open .*: it cannot be opened\. Check that its folder exists/,
    );
  });

  it("tells which run cannot be read when a row is damaged, and still reads the others", async () => {
    const journal = openJournal(file, clock);
    for (const run of ["r1", "r2"]) await journal.append(run, [beginEvent(run), note("hello")]);
    await journal.append("r1", [note("again")]);
    const direct = new DatabaseSync(file);
    direct.exec("UPDATE appends SET events = x'00ff' WHERE id % 4294967296 = 2");
    direct.close();
    await expect(journal.read("r1")).rejects.toThrow(
      `${file} is damaged: the events of run r1 up to seq 2 cannot be read.`,
    );
    await expect(journal.read("r1")).rejects.toThrow(expect.objectContaining({ code: "storage" }));
    expect(await journal.read("r2")).toHaveLength(2);
    await journal.close();
  });

  it("is not recreated when its pages are damaged", async () => {
    const journal = openJournal(file, clock);
    for (let run = 0; run < 40; run += 1) await journal.append(`r${run}`, episodeEvents(`r${run}`));
    await journal.close();
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 1024);
    writeFileSync(file, bytes);
    const reading = async () => {
      const damaged = openJournal(file, clock);
      try {
        await damaged.read("r7");
      } finally {
        await damaged.close();
      }
    };
    await expect(reading()).rejects.toThrow(/it is damaged/);
    expect(statSync(file).size).toBe(bytes.length);
  });
});

describe("the file", () => {
  it("is shared: a reader in another connection sees each append", async () => {
    const writer = openJournal(file, clock);
    const reader = openJournal(file, clock);
    await writer.append("r1", [beginEvent("r1")]);
    expect(await reader.read("r1")).toHaveLength(1);
    await writer.append("r1", [note("a"), note("b")]);
    expect((await reader.read("r1")).map(({ seq }) => seq)).toEqual([0, 1, 2]);
    await reader.append("r1", [note("c")]);
    expect((await writer.append("r1", [note("d")]))[0]?.seq).toBe(4);
    await writer.close();
    await reader.close();
  });

  it("stands alone once it is closed: nothing is left in the write-ahead log", async () => {
    const journal = openJournal(file, clock);
    await journal.append("r1", episodeEvents("r1"));
    await journal.close();
    const copy = join(folder, "copy.db");
    copyFileSync(file, copy);
    const copied = openJournal(copy, clock);
    expect(await copied.read("r1")).toHaveLength(episodeEvents("r1").length);
    await copied.close();
  });

  it("says so when another process keeps it locked", async () => {
    const journal = openJournal(file, clock, 50);
    await journal.append("r1", [beginEvent("r1")]);
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    await expect(journal.append("r1", [note("a")])).rejects.toThrow(
      `Cannot write to ${file}: another process keeps it locked.`,
    );
    other.exec("ROLLBACK");
    other.close();
    expect((await journal.append("r1", [note("b")]))[0]?.seq).toBe(1);
    await journal.close();
  });
});

/** Runs journal-writer.ts; `lines` are the steps whose append has returned. */
function writer(run: string, steps: number) {
  const script = fileURLToPath(new URL("./journal-writer.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, file, run, `${steps}`], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  return { child, ended, lines: () => out.split("\n").filter(Boolean), problems: () => err };
}

describe("several processes", () => {
  it("append at once, each its own run, and lose nothing", async () => {
    const writers = ["p1", "p2", "p3"].map((run) => writer(run, 120));
    await Promise.all(writers.map(({ ended }) => ended));
    expect(writers.map(({ problems }) => problems())).toEqual(["", "", ""]);
    const journal = openJournal(file, clock);
    for (const run of ["p1", "p2", "p3"]) {
      const events = await journal.read(run);
      expect(events).toHaveLength(241);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, seq) => seq));
    }
    await journal.close();
  });

  it("may be killed: everything that append has returned for is there, and nothing by half", async () => {
    for (const patience of [3, 40, 90]) {
      const run = `killed-after-${patience}`;
      const { child, ended, lines } = writer(run, 0);
      await new Promise<void>((resolve) => {
        child.stdout.on("data", () => {
          if (lines().length >= patience) resolve();
        });
      });
      child.kill("SIGKILL");
      await ended;
      const told = Number(lines().at(-1));
      const journal = openJournal(file, clock);
      const events = await journal.read(run);
      expect(events.length).toBeGreaterThanOrEqual(1 + 2 * told);
      expect(events.length % 2).toBe(1);
      expect(events.at(-1)).toMatchObject({ type: "command" });
      expect((await journal.append(run, [note("resumed")]))[0]?.seq).toBe(events.length);
      await journal.close();
    }
  });
});
