import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import type { Corpus, MemoryHead, Place, TermIndex } from "../domain/bank.ts";
import type { ExperienceName } from "../domain/experience.ts";
import type { Origin } from "../domain/origin.ts";
import { PostingsDraft } from "./bank-postings.ts";

export interface PlaceRow {
  readonly number: number;
  readonly system: ExperienceName;
  readonly kind: string;
}

type HeadRow = readonly [position: number, id: string, issue: number, labels: string];
type VectorRow = readonly [position: number, length: number, terms: Uint8Array];

const nothing: TermIndex = { lengths: [], postings: () => null, allPostings: () => [] };

/** Reads the corpora of a bank, each as of one moment when it is read within a transaction. */
export class CorpusReader {
  readonly #statements: ReturnType<typeof prepare>;
  /** Labels of many memories are the same; so is what is read of them. */
  readonly #labels = new Map<string, readonly string[]>();

  constructor(database: DatabaseSyncInstance) {
    this.#statements = prepare(database);
  }

  places({ system, kind, repo }: Place): readonly PlaceRow[] {
    return this.#statements.places.all(system ?? null, kind ?? null, repo ?? null);
  }

  /** `guarded` does what may fail later, when a ranking looks up a term. */
  read(place: Place, guarded: <T>(work: () => T) => T): Corpus {
    const places = this.places(place);
    const rows = places.flatMap((at) => this.#heads(at)).sort((a, b) => a.position - b.position);
    const fields = this.#fields(places, new Map(rows.map(({ position }, n) => [position, n])));
    const numbers = new Map<string, number>();
    const numberOf = (term: string): number | null => {
      const number =
        numbers.get(term) ?? guarded(() => this.#statements.term.get(term)?.number ?? null);
      if (number !== null) numbers.set(term, number);
      return number;
    };
    const indexes = new Map(
      [...fields].map(([name, draft]) => [name, draft.index(numberOf)] as const),
    );
    const heads = rows.map(({ head }) => head);
    const missing = { ...nothing, lengths: new Uint8Array(heads.length) };
    return { heads, field: (name) => indexes.get(name) ?? missing };
  }

  #heads({ number, system, kind }: PlaceRow): readonly { position: number; head: MemoryHead }[] {
    const origins = new Map(
      this.#statements.origins.all(number).map((row) => [row.number, originIn(row)]),
    );
    const rows: readonly HeadRow[] = this.#statements.heads.all(number);
    return rows.flatMap(([position, id, issue, labels]) => {
      const origin = origins.get(issue);
      if (!origin) return [];
      return [{ position, head: { id, system, kind, origin, labels: this.#labelsIn(labels) } }];
    });
  }

  #labelsIn(text: string): readonly string[] {
    const labels = this.#labels.get(text) ?? JSON.parse(text);
    this.#labels.set(text, labels);
    return labels;
  }

  #fields(
    places: readonly PlaceRow[],
    records: ReadonlyMap<number, number>,
  ): ReadonlyMap<string, PostingsDraft> {
    const drafts = new Map<string, PostingsDraft>();
    for (const { number } of places) {
      for (const { field } of this.#statements.fields.all(number)) {
        const draft = drafts.get(field) ?? new PostingsDraft(records.size);
        drafts.set(field, draft);
        const vectors: readonly VectorRow[] = this.#statements.vectors.all(number, field);
        for (const [position, length, terms] of vectors) {
          draft.add(records.get(position) ?? 0, length, terms);
        }
      }
    }
    return drafts;
  }
}

function originIn(row: {
  instance_id: string | null;
  repo: string | null;
  created_at: number | null;
  issue_key: string;
}): Origin {
  return {
    instanceId: row.instance_id,
    repo: row.repo,
    createdAt: row.created_at,
    issueKey: row.issue_key,
  };
}

function prepare(database: DatabaseSyncInstance) {
  const rows = (sql: string, returnArrays: boolean) => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(returnArrays);
    return statement;
  };
  return {
    places: rows(
      `SELECT number, system, kind FROM places WHERE (?1 IS NULL OR system = ?1)
       AND (?2 IS NULL OR kind = ?2) AND (?3 IS NULL OR repo = ?3)`,
      false,
    ),
    heads: rows(
      "SELECT position, id, issue, labels FROM memories WHERE place = ? ORDER BY position",
      true,
    ),
    origins: rows(
      `SELECT number, instance_id, repo, created_at, issue_key FROM issues
       WHERE number IN (SELECT issue FROM memories WHERE place = ?)`,
      false,
    ),
    // One step a field: the key begins with place and field.
    fields: rows(
      `WITH RECURSIVE names (field) AS (
         SELECT min(field) FROM vectors WHERE place = ?1
         UNION ALL
         SELECT (SELECT min(field) FROM vectors WHERE place = ?1 AND field > names.field)
         FROM names WHERE names.field IS NOT NULL
       ) SELECT field FROM names WHERE field IS NOT NULL`,
      false,
    ),
    vectors: rows(
      `SELECT position, length, terms FROM vectors WHERE place = ? AND field = ?
       ORDER BY position`,
      true,
    ),
    term: rows("SELECT number FROM terms WHERE term = ?", false),
  };
}
