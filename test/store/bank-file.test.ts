import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import { words } from "../../src/experience/tokenize.ts";
import { openBank } from "../../src/store/experience-bank.ts";
import { openJournal } from "../../src/store/sqlite.ts";
import { memoryOf } from "../experience/memories.ts";

const clock = { now: () => 1_800_000_000_000 };
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pmcoder-bank-"));
  file = join(folder, "experience.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function refusal(): PmcoderError {
  try {
    void openBank(file, clock).close();
  } catch (error) {
    if (error instanceof PmcoderError) return error;
    throw error;
  }
  throw new Error("it was opened");
}

/** Numbers in [0, 1) that look random and are the same in each run (Marsaglia's xorshift). */
function xorShift(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The memory number n, of any size, at a place of any of sixty. */
function scattered(n: number, random: () => number) {
  const padding = "p".repeat(random() ** 3 * 6000);
  const shared = Array.from({ length: random() * 300 }, () => `w${Math.floor(random() * 3000)}`);
  return memoryOf({
    kind: `kind${Math.floor(random() * 5)}`,
    repo: `owner/name${Math.floor(random() * 12)}`,
    issue: `issue_${n}. ${padding}`,
    payload: `payload_${n}. ${padding}`,
    labels: [`label_${n}.`],
    learnedFrom: `run_${n}.`,
    terms: { issue: [`term_${n}.`, ...shared] },
  });
}

/** Files of the bank that hold a word anywhere in their bytes. */
const holding = (word: string) =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(word));

describe("what was forgotten", () => {
  const textAt = (n: number) => `word${n} secret${n} ${"padding ".repeat(n % 90)}`;
  const secret = (n: number) =>
    memoryOf({
      kind: `kind${n}x`,
      repo: `owner${n}x/name`,
      issue: `issue${n}x ${textAt(n)}`,
      payload: { text: textAt(n) },
      labels: [`label${n}x`],
      terms: { [`field${n}x`]: words(textAt(n)) },
      learnedFrom: `run${n}x`,
    });

  it("is nowhere in the bytes of the file, while what stays is found as before", async () => {
    const bank = openBank(file, clock);
    const memories = Array.from({ length: 120 }, (_, n) => secret(n));
    const ids = (await bank.add(memories)).map(({ id }) => id);
    const gone = [3, 40, 77, 119];
    const traces = (n: number) =>
      ["kind", "owner", "issue", "label", "field", "run"]
        .map((word) => `${word}${n}x`)
        .concat(`secret${n} `, ids[n] ?? "");
    for (const trace of traces(3)) expect(holding(trace)).not.toEqual([]);
    expect(await bank.forget(gone.map((n) => ids[n] ?? ""))).toBe(gone.length);
    for (const trace of gone.flatMap(traces)) expect(holding(trace)).toEqual([]);
    // A term of its own: no other text begins with its letters.
    expect(holding("secret119")).toEqual([]);
    expect(holding("secret118 ")).not.toEqual([]);
    const left = memories.filter((_, n) => !gone.includes(n));
    expect((await bank.read({})).map(({ payload }) => payload)).toEqual(
      left.map(({ payload }) => payload),
    );
    const field = (await bank.corpus({ kind: "kind5x" })).field("field5x");
    expect(field.postings("secret5")?.records).toHaveLength(1);
    await bank.close();
  });

  it("leaves no copy where rows were moved about, either", async () => {
    const bank = openBank(file, clock);
    const random = xorShift(5);
    const alive: { readonly n: number; readonly id: string }[] = [];
    for (let n = 0; n < 480; n += 12) {
      const added = await bank.add(Array.from({ length: 12 }, (_, k) => scattered(n + k, random)));
      alive.push(...added.map(({ id }, k) => ({ n: n + k, id })));
      const gone = alive.filter(() => random() < 0.06);
      const kept = alive.filter((memory) => !gone.includes(memory));
      alive.splice(0, alive.length, ...kept);
      await bank.forget(gone.map(({ id }) => id));
    }
    const bytes = readFileSync(file, "latin1");
    const found = new Set(bytes.match(/(?<=(?:issue|payload|label|run|term)_)\d+(?=\.)/g));
    expect(found).toEqual(new Set(alive.map(({ n }) => String(n))));
    await bank.close();
  });

  it("is gone for another process that had looked at it", async () => {
    const [first, second] = [openBank(file, clock), openBank(file, clock)];
    const [{ id } = { id: "" }] = await first.add([secret(1)]);
    const known = await second.corpus({});
    expect(known.heads).toHaveLength(1);
    await first.forget([id]);
    expect(known.field("field1x").postings("secret1")).toBeNull();
    expect((await second.corpus({})).heads).toEqual([]);
    expect(await second.read({})).toEqual([]);
    await Promise.all([first.close(), second.close()]);
  });
});

describe("several processes", () => {
  it("learn at once and lose nothing", async () => {
    const script = fileURLToPath(new URL("./bank-learner.ts", import.meta.url));
    const rounds = 15;
    const learners = ["a", "b"].map((name) =>
      spawn(process.execPath, ["--import", "tsx", script, file, name, String(rounds)], {
        stdio: ["ignore", "ignore", "inherit"],
      }),
    );
    const ends = await Promise.all(learners.map((learner) => once(learner, "exit")));
    expect(ends.map(([code]) => code)).toEqual([0, 0]);
    const bank = openBank(file, clock);
    const wanted = ["a", "b"].flatMap((name) =>
      Array.from({ length: rounds }, (_, n) => [name, n + 1]),
    );
    const learned = await bank.read({ kind: "rep" });
    expect(learned.filter(({ payload }) => payload === "shared")).toMatchObject([
      { uses: 2 * rounds },
    ]);
    const others = learned.map(({ payload }) => payload).filter((payload) => payload !== "shared");
    expect(others).toHaveLength(wanted.length);
    expect(others).toEqual(expect.arrayContaining(wanted));
    const insights = (await bank.read({ kind: "insight:coder" })).map(({ payload }) => payload);
    expect(insights.toSorted()).toEqual(wanted.map((words) => words.join(" ")).toSorted());
    const field = (await bank.corpus({ kind: "rep" })).field("issue");
    expect(field.postings("shared")?.records).toHaveLength(wanted.length + 1);
    await bank.close();
  });

  it("wait for one another, and say so when it takes too long", async () => {
    const bank = openBank(file, clock, 50);
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    await expect(bank.add([memoryOf({})])).rejects.toMatchObject({
      code: "storage",
      message: `Cannot write to ${file}: another process keeps it locked. End that process, or give this one a bank of its own with --bank.`,
    });
    other.exec("COMMIT");
    other.close();
    expect(await bank.add([memoryOf({})])).toMatchObject([{ isNew: true }]);
    await bank.close();
  });
});

describe("a file that is no bank", () => {
  it("is refused when a newer pmcoder wrote it, and left as it is", async () => {
    await openBank(file, clock).close();
    const newer = new DatabaseSync(file);
    newer.exec("PRAGMA user_version = 9");
    newer.close();
    expect(refusal()).toMatchObject({
      code: "storage",
      message: `${file} was written by a newer pmcoder (schema 9; this one knows 1). Update pmcoder, or choose another file with --bank.`,
    });
  });

  it("is refused when it is a journal, and left as it is", async () => {
    await openJournal(file, clock).close();
    const bytes = readFileSync(file);
    expect(refusal().message).toBe(
      `${file} is a database of another program, expected a bank of pmcoder. Choose another file with --bank.`,
    );
    expect(readFileSync(file)).toEqual(bytes);
  });

  it.each([
    [
      "damaged",
      "No database. ".repeat(90),
      /: it is damaged, or no database\. Nothing was changed/,
    ],
    ["empty", "", / is empty, which no bank is\. Nothing was changed\. Go on with another bank/],
  ])("is refused when it is %s, and left as it is", (_, content, message) => {
    writeFileSync(file, content);
    expect(refusal()).toMatchObject({ code: "storage", message: expect.stringMatching(message) });
    expect(readFileSync(file, "utf8")).toBe(content);
  });

  it("is refused when it is a folder", () => {
    mkdirSync(file);
    expect(refusal().message).toMatch(/^Cannot open .*, or move the bank with --bank\.$/);
  });
});
