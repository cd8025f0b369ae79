/** Where candidates come from: best first but for those of the own repository. */
export interface Shelves<M> {
  /** Of the target's repository. */
  readonly same: readonly M[];
  /** The most relevant of other repositories. */
  readonly cross: (most: number) => readonly M[];
  /** The most relevant of the target's repair type, whatever their repository. */
  readonly typed: (most: number) => readonly M[];
}

export interface CoverageRules<M> {
  /** Candidates that are enough. */
  readonly kSame: number;
  /** Most that are loaded from `cross`, and from `typed`. */
  readonly kCross: number;
  readonly isAdmitted: (memory: M) => boolean;
  readonly idOf: (memory: M) => string;
  /** The same for two that tell the same. */
  readonly contentOf: (memory: M) => string;
}

/** How far a search for candidates had to go. */
type Reach = "same" | "cross" | "typed";

export interface Pool<M> {
  readonly candidates: readonly M[];
  readonly reach: Reach;
  /** Admitted memories of the own repository. */
  readonly sameRepository: number;
}

/**
 * Coverage-aware retrieval (arXiv:2609.20130, Algorithm 1): the own repository's memories, then
 * other repositories', then those of the repair type, as long as there are too few. Each is loaded,
 * then filtered by admission, so fewer than `kCross` may remain. Duplicates go at the very end, and
 * a pool that thereby falls short stays as it is.
 */
export function coverPool<M>(shelves: Shelves<M>, rules: CoverageRules<M>): Pool<M> {
  const { kSame, kCross, isAdmitted, idOf, contentOf } = rules;
  const pool = new Map<string, M>();
  const admit = (loaded: readonly M[]) => {
    for (const memory of loaded) if (isAdmitted(memory)) pool.set(idOf(memory), memory);
  };
  let reach: Reach = "same";
  admit(shelves.same);
  const sameRepository = pool.size;
  if (pool.size < kSame) {
    reach = "cross";
    admit(shelves.cross(kCross));
  }
  if (pool.size < kSame) {
    reach = "typed";
    admit(shelves.typed(kCross));
  }
  const distinct = new Map<string, M>();
  for (const memory of pool.values()) {
    const content = contentOf(memory);
    if (!distinct.has(content)) distinct.set(content, memory);
  }
  return { candidates: [...distinct.values()], reach, sameRepository };
}
