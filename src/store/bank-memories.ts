import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import type { Memory } from "../domain/bank.ts";

interface MemoryRow extends Omit<Memory, "from" | "payload" | "labels"> {
  readonly instanceId: string | null;
  readonly repo: string | null;
  readonly createdAt: number | null;
  readonly issue: string;
  readonly payload: string;
  readonly labels: string;
}

/** Reads whole memories, in the order learned. */
export class MemoryReader {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: DatabaseSyncInstance) {
    this.#statements = prepare(database);
  }

  byIds(ids: readonly string[]): readonly Memory[] {
    return this.#statements.byIds.all(JSON.stringify(ids)).map(memoryIn);
  }

  byPlaces(numbers: readonly number[]): readonly Memory[] {
    return this.#statements.byPlaces.all(JSON.stringify(numbers)).map(memoryIn);
  }
}

function memoryIn(row: MemoryRow): Memory {
  const { instanceId, repo, createdAt, issue, payload, labels, ...rest } = row;
  return {
    ...rest,
    from: { instanceId, repo, createdAt, issue },
    payload: JSON.parse(payload),
    labels: JSON.parse(labels),
  };
}

function prepare(database: DatabaseSyncInstance) {
  const select = (condition: string) =>
    database.prepare(
      `SELECT id, system, kind, instance_id AS instanceId, issues.repo, created_at AS createdAt,
         issue_texts.issue, payload, labels, learned_from AS learnedFrom,
         learned_at AS learnedAt, uses, helped, harmed
       FROM memories
       JOIN places ON places.number = memories.place
       JOIN issues ON issues.number = memories.issue
       JOIN issue_texts ON issue_texts.number = memories.issue
       JOIN payloads ON payloads.position = memories.position
       WHERE ${condition} ORDER BY memories.position`,
    );
  return {
    byIds: select("id IN (SELECT value FROM json_each(?))"),
    byPlaces: select("memories.place IN (SELECT value FROM json_each(?))"),
  };
}
