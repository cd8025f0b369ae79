import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import { putInPlace } from "../../src/store/database-file.ts";
import { openJournal } from "../../src/store/sqlite.ts";
import { beginEvent } from "../trajectories/recorded-episode.ts";

const clock = { now: () => 1_800_000_000_000 };
const steps = 200;

/** What a process that was killed after `steps` appends left: a file, and a log with most of it. */
let killed: string;
let folder: string;
let file: string;
let log: string;

beforeAll(async () => {
  killed = mkdtempSync(join(tmpdir(), "pmcoder-killed-"));
  const script = fileURLToPath(new URL("./journal-writer.ts", import.meta.url));
  const args = ["--import", "tsx", script, join(killed, "pmcoder.db"), "r1", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let told = 0;
  for await (const chunk of child.stdout) {
    told += String(chunk).split("\n").length - 1;
    if (told >= steps) child.kill("SIGKILL");
  }
});
afterAll(() => rmSync(killed, { recursive: true, force: true }));

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "pmcoder-damage-")), "it's state");
  cpSync(killed, folder, { recursive: true });
  file = join(folder, "pmcoder.db");
  log = `${file}-wal`;
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

function refusal(): PmcoderError {
  try {
    void openJournal(file, clock).close();
  } catch (error) {
    if (error instanceof PmcoderError) return error;
    throw error;
  }
  throw new Error("it was opened");
}

const contents = () =>
  readdirSync(folder)
    .filter((name) => !name.endsWith("-shm"))
    .map((name) => [name, readFileSync(join(folder, name)).toString("base64")]);

function overwrite(path: string, bytes: Uint8Array, at: number): void {
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}

describe("what is left of a damaged database", () => {
  it.each([
    ["an empty file", () => truncateSync(file), /pmcoder\.db is empty, which no journal is\. /],
    [
      "an empty file alone",
      () => {
        truncateSync(file);
        rmSync(log);
      },
      /pmcoder\.db is empty, which no journal is\. /,
    ],
    [
      "no file",
      () => rmSync(file),
      /pmcoder\.db is missing, but its log .*-wal holds \d+ bytes\. /,
    ],
    [
      "a log without its header",
      () => overwrite(log, Buffer.alloc(32), 0),
      /pmcoder\.db has a damaged log, .*-wal: what was recorded last cannot be read\. /,
    ],
    [
      "a file that was cut",
      () => truncateSync(file, 300),
      /^Cannot open .*pmcoder\.db: it is damaged\. /,
    ],
    [
      "a file of zeros",
      () => writeFileSync(file, Buffer.alloc(4096)),
      /^Cannot open .*pmcoder\.db: it is damaged\. /,
    ],
  ])("is refused and left as it is: %s", (_name, damage, message) => {
    damage();
    const before = contents();
    const error = refusal();
    expect(error.code).toBe("storage");
    expect(error.message).toMatch(message);
    expect(error.message).toContain(
      " Nothing was changed. Go on in another folder with --state, or",
    );
    expect(contents()).toEqual(before);
  });

  it("comes with the command that keeps it aside, all of it", async () => {
    truncateSync(file);
    const logged = statSync(log).size;
    const [, command = ""] = /begin anew: (.+)$/.exec(refusal().message) ?? [];
    execFileSync("bash", ["-c", command]);
    const aside = join(folder, "damaged");
    expect(readdirSync(aside).filter((name) => !name.endsWith("-shm"))).toEqual([
      "pmcoder.db",
      "pmcoder.db-wal",
    ]);
    expect(statSync(join(aside, "pmcoder.db-wal")).size).toBe(logged);
    const journal = openJournal(file, clock);
    expect(await journal.runs()).toEqual([]);
    await journal.close();
  });
});

describe("what a killed process left", () => {
  it.each([
    ["as it was", () => {}, 1 + 2 * steps],
    ["with its index lost", () => rmSync(`${file}-shm`), 1 + 2 * steps],
    [
      "with noise for an index",
      () => writeFileSync(`${file}-shm`, Buffer.alloc(65536, 9)),
      1 + 2 * steps,
    ],
    ["with half of its log", () => truncateSync(log, statSync(log).size / 2), 20],
    [
      "with a spot on its log",
      () => overwrite(log, Buffer.alloc(64, 7), statSync(log).size / 2),
      20,
    ],
  ])("is read and gone on with: %s", async (_name, damage, atLeast) => {
    damage();
    const journal = openJournal(file, clock);
    const events = await journal.read("r1");
    expect(events.length).toBeGreaterThanOrEqual(atLeast);
    expect(events.length % 2).toBe(1);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, seq) => seq));
    const [next] = await journal.append("r1", [{ type: "notice", text: "resumed" }]);
    expect(next?.seq).toBe(events.length);
    await journal.close();
  });
});

describe("a new database", () => {
  it("is there whole or not at all, whenever its maker is killed", async () => {
    const module = fileURLToPath(new URL("../../src/store/sqlite.ts", import.meta.url));
    const script = `
      import { mkdirSync } from "node:fs";
      import { openJournal } from ${JSON.stringify(module)};
      for (let n = 0; ; n += 1) {
        mkdirSync(${JSON.stringify(`${folder}/made`)} + n);
        void openJournal(${JSON.stringify(`${folder}/made`)} + n + "/pmcoder.db", { now: () => 0 }).close();
        process.stdout.write(".");
      }`;
    const args = ["--import", "tsx", "--input-type=module", "-e", script];
    for (const patience of [1, 12]) {
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      let made = 0;
      for await (const chunk of child.stdout) {
        made += String(chunk).length;
        if (made >= patience) child.kill("SIGKILL");
      }
      const folders = readdirSync(folder).filter((name) => name.startsWith("made"));
      expect(folders.length).toBeGreaterThanOrEqual(patience);
      for (const name of folders) {
        await openJournal(join(folder, name, "pmcoder.db"), clock).close();
        rmSync(join(folder, name), { recursive: true });
      }
    }
  });

  it("leaves nothing when it cannot be made", () => {
    const place = join(folder, "new.db");
    const make = () =>
      putInPlace(place, (draft) => {
        writeFileSync(draft, "half");
        throw new Error("no room");
      });
    expect(make).toThrow("no room");
    expect(readdirSync(folder).filter((name) => name.startsWith("new"))).toEqual([]);
  });

  it("does not take the place of another one that was faster", () => {
    const place = join(folder, "new.db");
    putInPlace(place, (draft) => {
      writeFileSync(draft, "second");
      writeFileSync(place, "first");
    });
    expect(readFileSync(place, "utf8")).toBe("first");
    expect(readdirSync(folder).filter((name) => name.startsWith("new"))).toEqual(["new.db"]);
  });

  it("is made in a folder that exists, and nowhere else", () => {
    mkdirSync(join(folder, "empty"));
    file = join(folder, "nowhere", "pmcoder.db");
    expect(refusal().message).toMatch(
      /^Cannot open .*: it cannot be opened\. Check that its folder/,
    );
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });
});

describe("a database whose pages went bad", () => {
  it("is named by the error of a read, and is left as it is", async () => {
    const journal = openJournal(file, clock);
    await journal.append("r2", [beginEvent("r2")]);
    await journal.close();
    const size = statSync(file).size;
    overwrite(file, Buffer.alloc(size / 2, 0x5a), size / 4);
    const damaged = openJournal(file, clock);
    await expect(damaged.read("r1")).rejects.toThrow(
      /^Cannot read .*pmcoder\.db: it is damaged\. Nothing was changed\. Go on in another folder/,
    );
    expect(statSync(file).size).toBe(size);
    await damaged.close().catch(() => {});
  });
});
