import { dirname } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import type { Bank, Corpus, Memory, NewMemory, Place, Standing } from "../domain/bank.ts";
import type { Clock } from "../domain/clock.ts";
import { PmcoderError } from "../domain/errors.ts";
import { CorpusReader } from "./bank-corpus.ts";
import { MemoryReader } from "./bank-memories.ts";
import { BankRows, idOf, type Row } from "./bank-rows.ts";
import { bankSchema } from "./bank-schema.ts";
import { makeFolder } from "./files.ts";
import { inMemory, inTransaction, openDatabase } from "./open-database.ts";
import { storageError } from "./storage-error.ts";

/** Milliseconds that a writer waits for another one: a large bank is rewritten when it forgets. */
const patienceMs = 60_000;

/** Corpora kept at hand: an episode asks for one a stage, and perhaps for all stages of a system. */
const corporaKept = 8;

export interface OpenBank extends Bank {
  close(): Promise<void>;
}

/**
 * The bank in an SQLite file, made with its folder when it is missing: several processes may learn,
 * recall and forget at once. `file`: a path, or `:memory:`. Throws PmcoderError `storage` when the
 * file cannot be opened, is damaged, another program's, or newer than this pmcoder; later also when
 * another process keeps it locked for `waitMs`.
 */
export function openBank(
  file: string,
  clock: Pick<Clock, "now">,
  waitMs: number = patienceMs,
): OpenBank {
  try {
    if (file !== inMemory) makeFolder(dirname(file));
    return new SqliteBank(openDatabase(file, waitMs, bankSchema), file, clock);
  } catch (error) {
    throw storageError(file, "open", error, bankSchema.keeping);
  }
}

interface KnownCorpus {
  readonly generation: number;
  readonly corpus: Corpus;
}

class SqliteBank implements OpenBank {
  readonly #database: DatabaseSyncInstance;
  readonly #file: string;
  readonly #clock: Pick<Clock, "now">;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #rows: BankRows;
  readonly #memories: MemoryReader;
  readonly #corpora: CorpusReader;
  readonly #known = new Map<string, KnownCorpus>();

  constructor(database: DatabaseSyncInstance, file: string, clock: Pick<Clock, "now">) {
    this.#database = database;
    this.#file = file;
    this.#clock = clock;
    this.#statements = prepare(database);
    this.#rows = new BankRows(database);
    this.#memories = new MemoryReader(database);
    this.#corpora = new CorpusReader(database);
  }

  async add(memories: readonly NewMemory[]) {
    return this.#change("write to", () => {
      const seen = new Set<string>();
      const drafts = memories.map((memory) => {
        const id = idOf(memory);
        const isNew = !seen.has(id) && !this.#rows.has(id);
        seen.add(id);
        return { memory, id, isNew };
      });
      const fresh = drafts.filter(({ isNew }) => isNew);
      this.#rows.insert(fresh.map(({ memory, id }) => this.#row(memory, id)));
      return drafts.map(({ id, isNew }) => ({ id, isNew }));
    });
  }

  async read(where: Place | { readonly ids: readonly string[] }): Promise<readonly Memory[]> {
    return this.#attempt("read", () => {
      if (!("ids" in where)) return this.#readPlace(where);
      const found = this.#memories.byIds(where.ids);
      const byId = new Map(found.map((memory) => [memory.id, memory]));
      return [...new Set(where.ids)].flatMap((id) => byId.get(id) ?? []);
    });
  }

  async corpus(place: Place): Promise<Corpus> {
    const key = JSON.stringify([place.system, place.kind, place.repo]);
    return this.#attempt("read", () =>
      this.#asOfOneMoment(() => {
        const generation: number = this.#statements.generation.get().generation;
        const known = this.#known.get(key);
        const corpus =
          known?.generation === generation
            ? known.corpus
            : this.#corpora.read(place, (work) => this.#attempt("read", work));
        this.#keep(key, { generation, corpus });
        return corpus;
      }),
    );
  }

  async replace(
    place: Required<Place>,
    expected: readonly string[],
    next: readonly NewMemory[],
  ): Promise<boolean> {
    this.#expectWithin(place, next);
    return this.#change("write to", () => {
      const current = this.#readPlace(place);
      if (JSON.stringify(current.map(({ id }) => id)) !== JSON.stringify(expected)) return false;
      const known = new Map(current.map((memory) => [memory.id, memory]));
      const rows = new Map(next.map((memory) => [idOf(memory), memory]));
      this.#rows.remove(expected);
      this.#rows.insert(
        [...rows].map(([id, memory]) => {
          const before = known.get(id);
          const { learnedFrom } = before ?? memory;
          return this.#row({ ...memory, learnedFrom }, id, before);
        }),
      );
      return true;
    });
  }

  /**
   * Deleting overwrites rows, but SQLite may have left copies of a row where it moved it from, and
   * the write-ahead log holds earlier pages: so the whole file is written anew and the log emptied.
   */
  async forget(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const forgotten = this.#change("write to", () => {
      const removed = this.#rows.remove(ids);
      this.#rows.dropUnheldTerms();
      return removed;
    });
    this.#attempt("write to", () => {
      this.#database.exec("VACUUM");
      this.#emptyLog();
    });
    return forgotten;
  }

  async count(ids: readonly string[], what: "uses" | "helped" | "harmed"): Promise<void> {
    this.#change("write to", () => this.#statements[what].run(JSON.stringify(ids)));
  }

  async close(): Promise<void> {
    this.#attempt("close", () => {
      if (!this.#database.isOpen) return;
      this.#database.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE);");
      this.#database.close();
    });
  }

  #expectWithin(place: Required<Place>, memories: readonly NewMemory[]): void {
    const isStray = ({ system, kind, from }: NewMemory) =>
      system !== place.system || kind !== place.kind || from.repo !== place.repo;
    if (!memories.some(isStray)) return;
    const { system, kind, repo } = place;
    throw new PmcoderError(
      "internal",
      `A memory of another place was to replace those of ${system} ${kind} ${repo} in ${this.#file}. Nothing was changed.`,
    );
  }

  #emptyLog(): void {
    const { busy } = this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    if (busy !== 0) throw Object.assign(new Error("database is locked"), { errcode: 5 });
  }

  #row(memory: NewMemory, id: string, before: Standing | undefined = memory.standing): Row {
    const now = { learnedAt: this.#clock.now(), uses: 0, helped: 0, harmed: 0 };
    return { memory, id, standing: before ?? now };
  }

  #readPlace(place: Place): readonly Memory[] {
    const numbers = this.#corpora.places(place).map(({ number }) => number);
    return this.#memories.byPlaces(numbers);
  }

  #keep(key: string, known: KnownCorpus): void {
    this.#known.delete(key);
    this.#known.set(key, known);
    for (const [oldest] of this.#known) {
      if (this.#known.size <= corporaKept) break;
      this.#known.delete(oldest);
    }
  }

  #change<T>(doing: string, work: () => T): T {
    return this.#attempt(doing, () => inTransaction(this.#database, work));
  }

  #asOfOneMoment<T>(work: () => T): T {
    this.#database.exec("BEGIN");
    try {
      return work();
    } finally {
      if (this.#database.isTransaction) this.#database.exec("COMMIT");
    }
  }

  #attempt<T>(doing: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storageError(this.#file, doing, error, bankSchema.keeping);
    }
  }
}

function prepare(database: DatabaseSyncInstance) {
  const countUp = (what: string) =>
    database.prepare(
      `UPDATE memories SET ${what} = ${what} + 1 WHERE id IN (SELECT value FROM json_each(?))`,
    );
  return {
    generation: database.prepare("SELECT generation FROM state"),
    uses: countUp("uses"),
    helped: countUp("helped"),
    harmed: countUp("harmed"),
  };
}
