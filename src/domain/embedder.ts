/** Whether a text is what is looked for or what is looked through: some models embed them apart. */
export type EmbeddingRole = "query" | "document";

/**
 * A model that turns texts into vectors whose cosine tells how near their meanings are.
 *
 * Contract: as many vectors as texts, in their order, of one length, each of Euclidean length 1.
 * Rejects with PmcoderError `model_unavailable`, or `interrupted` when `signal` aborts.
 */
export interface Embedder {
  /** Which model and settings the vectors are of: vectors of different names are not compared. */
  readonly name: string;
  embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal: AbortSignal,
  ): Promise<readonly (readonly number[])[]>;
}
