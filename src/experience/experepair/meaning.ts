import type { Memory } from "../../domain/bank.ts";
import type { Embedder, EmbeddingRole } from "../../domain/embedder.ts";
import { minMax } from "../bm25.ts";
import type { Candidates, GuardedBank } from "../guarded-bank.ts";
import { fromBank, type RepairField } from "../repair-memory.ts";
import { reduceTraceback } from "../traceback.ts";

/** What is looked for in one field, and how much of the whole that is. */
export interface Wanted {
  readonly field: RepairField;
  readonly text: string;
  readonly weight: number;
}

type Vector = readonly number[];

/** Texts in one request, and characters of each. Our choice: servers refuse more. */
const batch = 64;
const textChars = 8000;

/** How near memories are in meaning, field by field, as BM25 is weighed (ExpeRepair, 4.2.2). */
export class Meaning {
  readonly #embedder: Embedder;
  readonly #signal: AbortSignal;
  readonly #vectors = new Map<string, Vector>();

  constructor(embedder: Embedder, signal: AbortSignal) {
    this.#embedder = embedder;
    this.#signal = signal;
  }

  /** Σ weight · min-max of the field's cosine, in the order of `candidates`. Rejects as the embedder. */
  async relevance(
    { heads }: Candidates,
    bank: Pick<GuardedBank, "read">,
    wanted: readonly Wanted[],
  ): Promise<Float64Array> {
    const memories = await bank.read({ ids: heads.map(({ id }) => id) });
    const sum = new Float64Array(heads.length);
    for (const { field, text, weight } of wanted) {
      const [query = []] = await this.#embed([text], "query");
      const vectors = await this.#vectorsOf(memories, field);
      const scores = minMax(heads.map(({ id }) => product(query, vectors.get(id) ?? [])));
      for (let n = 0; n < sum.length; n += 1) sum[n] = (sum[n] ?? 0) + weight * (scores[n] ?? 0);
    }
    return sum;
  }

  /** By id; a field that is empty has none. */
  async #vectorsOf(
    memories: readonly Memory[],
    field: RepairField,
  ): Promise<ReadonlyMap<string, Vector>> {
    const texts = memories.map((memory) => ({ id: memory.id, text: textOf(memory, field) }));
    const bare = texts.filter(({ text }) => text !== "" && !this.#vectors.has(text));
    for (let from = 0; from < bare.length; from += batch) {
      const part = bare.slice(from, from + batch).map(({ text }) => text);
      const vectors = await this.#embed(part, "document");
      part.forEach((text, at) => {
        this.#vectors.set(text, vectors[at] ?? []);
      });
    }
    return new Map(texts.map(({ id, text }) => [id, this.#vectors.get(text) ?? []]));
  }

  async #embed(texts: readonly string[], role: EmbeddingRole): Promise<readonly Vector[]> {
    const filled = texts.filter((text) => text.trim() !== "");
    if (filled.length === 0) return [];
    return this.#embedder.embed(filled, role, this.#signal);
  }
}

function textOf(memory: Memory, field: RepairField): string {
  const repair = fromBank(memory);
  if (repair === null) return "";
  const texts: Readonly<Record<RepairField, string>> = {
    issue: repair.from.issue,
    failed: repair.failedAttempt,
    feedback: reduceTraceback(repair.failureFeedback),
    artifact: repair.artifact,
  };
  return texts[field].slice(0, textChars).trim();
}

/** The cosine, as both are of length 1; 0 where one is missing. */
function product(one: Vector, other: Vector): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}
