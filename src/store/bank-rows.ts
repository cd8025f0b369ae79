import { createHash } from "node:crypto";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import type { NewMemory, Standing } from "../domain/bank.ts";
import type { IssueIdentity } from "../domain/experience.ts";
import { originOf } from "../domain/origin.ts";
import { decodeVector, encodeVector } from "./term-vector.ts";

export interface Row {
  readonly memory: NewMemory;
  readonly id: string;
  readonly standing: Standing;
}

interface Field {
  readonly name: string;
  readonly length: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** 64 bits, so that among 100,000 memories two share one in 3·10⁹ banks. */
const idDigits = 16;

export function idOf({ system, kind, from, payload, labels }: NewMemory): string {
  const content = JSON.stringify([system, kind, identityOf(from), labels, payload]);
  return createHash("sha256").update(content).digest("hex").slice(0, idDigits);
}

function identityOf({ instanceId, repo, createdAt, issue }: IssueIdentity): string {
  const content = JSON.stringify([instanceId, repo, createdAt, issue]);
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

/** Puts memories into all tables of a bank and takes them out again, within a transaction. */
export class BankRows {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: DatabaseSyncInstance) {
    this.#statements = prepare(database);
  }

  has(id: string): boolean {
    return this.#statements.find.get(id) !== undefined;
  }

  /** Rows whose ids differ from one another and from all that is there. */
  insert(rows: readonly Row[]): void {
    const drafts = rows.map((row) => ({ row, fields: fieldsOf(row.memory) }));
    const numbers = this.#nameTerms(drafts.flatMap(({ fields }) => fields));
    for (const { row, fields } of drafts) this.#insertOne(row, fields, numbers);
    if (rows.length > 0) this.#statements.change.run();
  }

  /** Drops the names of terms that no record holds: what is left of those that were removed. */
  dropUnheldTerms(): void {
    const { newestTerm, vectors, allTerms, dropTerm } = this.#statements;
    const isHeld = new Uint8Array(Number(newestTerm.get().number ?? 0) + 1);
    for (const [vector] of vectors.iterate()) markTerms(vector, isHeld);
    for (const [number] of allTerms.all()) if (isHeld[number] === 0) dropTerm.run(number);
  }

  /** How many of them there were; the names of their terms stay. */
  remove(ids: readonly string[]): number {
    const removed = [...new Set(ids)].filter((id) => this.#removeOne(id)).length;
    if (removed > 0) this.#statements.change.run();
    return removed;
  }

  #insertOne(
    { memory, id, standing }: Row,
    fields: readonly Field[],
    numbers: ReadonlyMap<string, number>,
  ): void {
    const { system, kind, from, payload, labels, learnedFrom } = memory;
    const { learnedAt, uses, helped, harmed } = standing;
    const place = this.#placeOf(system, kind, from.repo);
    const issue = this.#issueOf(from);
    const about = [JSON.stringify(labels), learnedFrom, learnedAt, uses, helped, harmed];
    const statements = this.#statements;
    const position = statements.memory.run(id, place, issue, ...about).lastInsertRowid;
    statements.payload.run(position, JSON.stringify(payload));
    for (const { name, length, counts } of fields) {
      const vector = encodeVector(numbered(counts, numbers));
      statements.vector.run(place, name, position, length, vector);
    }
  }

  #placeOf(system: string, kind: string, repo: string | null): number {
    const { place, newPlace } = this.#statements;
    const found = place.get(system, kind, repo);
    return Number(found?.number ?? newPlace.run(system, kind, repo).lastInsertRowid);
  }

  #issueOf(from: IssueIdentity): number {
    const statements = this.#statements;
    const identity = identityOf(from);
    const found = statements.issue.get(identity);
    if (found) return Number(found.number);
    const { instanceId, repo, createdAt, issueKey } = originOf(from);
    const made = statements.newIssue.run(identity, instanceId, repo, createdAt, issueKey);
    statements.newIssueText.run(made.lastInsertRowid, from.issue);
    return Number(made.lastInsertRowid);
  }

  /** The number of each term; those that are new get one. */
  #nameTerms(fields: readonly Field[]): ReadonlyMap<string, number> {
    const terms = new Set(fields.flatMap(({ counts }) => [...counts.keys()]));
    const numbers = new Map<string, number>(this.#statements.terms.all(JSON.stringify([...terms])));
    for (const term of terms) {
      if (numbers.has(term)) continue;
      numbers.set(term, Number(this.#statements.term.get(term).number));
    }
    return numbers;
  }

  #removeOne(id: string): boolean {
    const statements = this.#statements;
    const found = statements.find.get(id);
    if (!found) return false;
    const { position, place, issue } = found;
    statements.dropVectors.run(place, position);
    statements.dropPayload.run(position);
    statements.dropMemory.run(position);
    statements.dropPlace.run(place);
    if (statements.dropIssue.run(issue).changes > 0) statements.dropIssueText.run(issue);
    return true;
  }
}

function fieldsOf({ terms }: NewMemory): readonly Field[] {
  return Object.entries(terms)
    .filter(([, all]) => all.length > 0)
    .map(([name, all]) => ({ name, length: all.length, counts: countsOf(all) }));
}

function markTerms(vector: Uint8Array, isHeld: Uint8Array): void {
  const terms = new Uint32Array(vector.length);
  const filled = decodeVector(vector, terms, new Uint32Array(vector.length), 0);
  for (let n = 0; n < filled; n += 1) isHeld[terms[n] ?? 0] = 1;
}

function countsOf(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Two terms may have one number: half of a surrogate pair is no character to SQLite. */
function numbered(
  counts: ReadonlyMap<string, number>,
  numbers: ReadonlyMap<string, number>,
): ReadonlyMap<number, number> {
  const byNumber = new Map<number, number>();
  for (const [term, count] of counts) {
    const number = numbers.get(term) ?? 0;
    byNumber.set(number, (byNumber.get(number) ?? 0) + count);
  }
  return byNumber;
}

function prepare(database: DatabaseSyncInstance) {
  const statement = (sql: string) => database.prepare(sql);
  const arrays = (sql: string) => {
    const prepared = database.prepare(sql);
    prepared.setReturnArrays(true);
    return prepared;
  };
  return {
    find: statement("SELECT position, place, issue FROM memories WHERE id = ?"),
    place: statement("SELECT number FROM places WHERE system = ? AND kind = ? AND repo IS ?"),
    newPlace: statement("INSERT INTO places (system, kind, repo) VALUES (?, ?, ?)"),
    issue: statement("SELECT number FROM issues WHERE identity = ?"),
    newIssue: statement(
      "INSERT INTO issues (identity, instance_id, repo, created_at, issue_key) VALUES (?, ?, ?, ?, ?)",
    ),
    newIssueText: statement("INSERT INTO issue_texts (number, issue) VALUES (?, ?)"),
    memory: statement(
      `INSERT INTO memories (id, place, issue, labels, learned_from, learned_at, uses, helped, harmed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    payload: statement("INSERT INTO payloads (position, payload) VALUES (?, ?)"),
    vector: statement(
      "INSERT INTO vectors (place, field, position, length, terms) VALUES (?, ?, ?, ?, ?)",
    ),
    terms: arrays("SELECT term, number FROM terms WHERE term IN (SELECT value FROM json_each(?))"),
    // Found all the same where SQLite takes two for one: half of a surrogate pair is no character.
    term: statement(
      `INSERT INTO terms (term) VALUES (?)
       ON CONFLICT (term) DO UPDATE SET term = excluded.term RETURNING number`,
    ),
    newestTerm: statement("SELECT max(number) AS number FROM terms"),
    vectors: arrays("SELECT terms FROM vectors"),
    allTerms: arrays("SELECT number FROM terms"),
    dropTerm: statement("DELETE FROM terms WHERE number = ?"),
    dropVectors: statement("DELETE FROM vectors WHERE place = ? AND position = ?"),
    dropPayload: statement("DELETE FROM payloads WHERE position = ?"),
    dropMemory: statement("DELETE FROM memories WHERE position = ?"),
    dropPlace: statement(
      `DELETE FROM places WHERE number = ?1
       AND NOT EXISTS (SELECT 1 FROM memories WHERE place = ?1)`,
    ),
    dropIssue: statement(
      `DELETE FROM issues WHERE number = ?1
       AND NOT EXISTS (SELECT 1 FROM memories WHERE issue = ?1)`,
    ),
    dropIssueText: statement("DELETE FROM issue_texts WHERE number = ?"),
    change: statement("UPDATE state SET generation = generation + 1"),
  };
}
