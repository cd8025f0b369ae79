/**
 * Where the states of a repository are kept while a run lives, outside its environment: patches
 * against the run's base by the name of the tree that they lead to. `put` is durable before it
 * returns; it throws PmcoderError `storage`.
 */
export interface SnapshotShelf {
  put(tree: string, patch: Uint8Array): void;
  /** null: not kept. */
  get(tree: string): Uint8Array | null;
  /** Removes all others. */
  keepOnly(trees: readonly string[]): void;
}
