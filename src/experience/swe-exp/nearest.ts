import type { Memory } from "../../domain/bank.ts";
import type { Embedder } from "../../domain/embedder.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type { Candidates, GuardedBank } from "../guarded-bank.ts";
import { codeAware } from "../tokenize.ts";
import { experienceIn, indexField, unpacked } from "./experience.ts";
import { indexText } from "./issue-type.ts";

/** How near a memory is to what is looked for: cosine × 100, or BM25. */
export interface Near {
  readonly id: string;
  readonly score: number;
}

/** Texts that are embedded in one request. Our choice: servers refuse more than some hundred. */
const batch = 64;

/** Tells which memories are nearest to a text; keeps the vectors that it had to ask for. */
export class Nearest {
  readonly #embedder: Embedder | null;
  readonly #signal: AbortSignal;
  readonly #warn: (text: string) => void;
  readonly #vectors = new Map<string, Float32Array>();
  #hasWarned = false;

  /** `warn` is told, once, when words have to do in place of meanings. */
  constructor(embedder: Embedder | null, signal: AbortSignal, warn: (text: string) => void) {
    this.#embedder = embedder;
    this.#signal = signal;
    this.#warn = warn;
  }

  /** The best of the candidates, best first. Rejects with `interrupted`, or as the bank does. */
  async find(
    text: string,
    { candidates, bank, most }: { candidates: Candidates; bank: GuardedBank; most: number },
  ): Promise<readonly Near[]> {
    const scores = (await this.#cosines(text, candidates, bank)) ?? byWords(text, candidates);
    return candidates.best(scores, most).map(({ head, score }) => ({ id: head.id, score }));
  }

  /** null: there is no model, or it did not answer. */
  async #cosines(
    text: string,
    { heads }: Candidates,
    bank: GuardedBank,
  ): Promise<readonly number[] | null> {
    if (this.#embedder === null) return this.#withoutModel("no embedding model is configured");
    try {
      const [query = []] = await this.#embedder.embed([text], "query", this.#signal);
      await this.#learnVectors(
        heads.map(({ id }) => id),
        bank,
        this.#embedder,
      );
      return heads.map(({ id }) => 100 * product(query, this.#vectors.get(id)));
    } catch (error) {
      if (!(error instanceof PmcoderError) || error.code !== "model_unavailable") throw error;
      return this.#withoutModel(error.message);
    }
  }

  #withoutModel(why: string): null {
    const text = `Experiences are matched by their words (BM25) and not by their meaning: ${why}`;
    if (!this.#hasWarned) this.#warn(text.endsWith(".") ? text : `${text}.`);
    this.#hasWarned = true;
    return null;
  }

  async #learnVectors(ids: readonly string[], bank: GuardedBank, embedder: Embedder) {
    const unknown = ids.filter((id) => !this.#vectors.has(id));
    const bare: { readonly id: string; readonly text: string }[] = [];
    for (const memory of await bank.read({ ids: unknown })) {
      const stored = storedVector(memory, embedder.name);
      if (stored !== null) this.#vectors.set(memory.id, stored);
      else bare.push({ id: memory.id, text: textOf(memory) });
    }
    for (let from = 0; from < bare.length; from += batch) {
      const part = bare.slice(from, from + batch);
      const texts = part.map(({ text }) => text);
      const vectors = await embedder.embed(texts, "document", this.#signal);
      for (const [index, { id }] of part.entries()) {
        this.#vectors.set(id, Float32Array.from(vectors[index] ?? []));
      }
    }
  }
}

function byWords(text: string, candidates: Candidates): Float64Array {
  return candidates.scores(indexField, codeAware(text));
}

function storedVector(memory: Memory, name: string): Float32Array | null {
  const embedding = experienceIn(memory)?.embedding ?? null;
  return embedding?.name === name ? unpacked(embedding.vector) : null;
}

function textOf(memory: Memory): string {
  const experience = experienceIn(memory);
  return experience === null ? "" : indexText(experience);
}

/** Of two vectors of length 1 the cosine; 0 where one is missing or of another length. */
function product(a: readonly number[], b: Float32Array | undefined): number {
  if (b === undefined || a.length !== b.length) return 0;
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
