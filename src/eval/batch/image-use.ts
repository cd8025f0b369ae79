/** Images as an engine keeps them. */
export interface ImageStore {
  /** Bytes on disk of all its images together. */
  size(): Promise<number>;
  /** Removes an image that can be had again and that nothing uses; others stay. Never rejects. */
  remove(image: string): Promise<unknown>;
}

/** The images that jobs use, so that those which are used no more make room for others. */
export interface ImageUse {
  /**
   * Does a job in its image, null for one that needs none; afterwards, images that are not needed go
   * while there are too many.
   */
  during<T>(image: string | null, work: () => Promise<T>): Promise<T>;
}

export interface ImageRules {
  readonly store: ImageStore;
  /** Bytes up to which images may stay. */
  readonly limit: number;
  /**
   * Jobs to come by image, episodes and gold patches; null: not known here, because other workers take jobs too. Then the
   * newest images are kept, as many as `recent`, for jobs come
   * instance by instance.
   */
  readonly left: ReadonlyMap<string, number> | null;
  readonly recent: number;
}

/** Jobs by image: those counted, and one more for each of `images`; null stands for none. */
export function addJobs(
  counted: ReadonlyMap<string, number>,
  images: Iterable<string | null>,
): ReadonlyMap<string, number> {
  const counts = new Map(counted);
  for (const image of images) if (image !== null) counts.set(image, (counts.get(image) ?? 0) + 1);
  return counts;
}

export function watchImages(rules: ImageRules): ImageUse {
  const shelf = new Shelf(rules);
  return {
    during: async (image, work) => {
      if (image === null) return work();
      shelf.take(image);
      let isDone = false;
      try {
        const result = await work();
        isDone = true;
        return result;
      } finally {
        await shelf.putBack(image, isDone);
      }
    },
  };
}

class Shelf {
  readonly #rules: ImageRules;
  readonly #left: Map<string, number> | null;
  /** Jobs that use an image now, images from the one taken longest ago to the newest. */
  readonly #used = new Map<string, number>();
  #clearing = Promise.resolve();

  constructor(rules: ImageRules) {
    this.#rules = rules;
    this.#left = rules.left && new Map(rules.left);
  }

  take(image: string): void {
    const jobs = this.#used.get(image) ?? 0;
    this.#used.delete(image);
    this.#used.set(image, jobs + 1);
  }

  async putBack(image: string, isDone: boolean): Promise<void> {
    this.#used.set(image, (this.#used.get(image) ?? 1) - 1);
    if (isDone) this.#left?.set(image, (this.#left.get(image) ?? 1) - 1);
    if (this.#spare().length === 0) return;
    this.#clearing = this.#clearing.then(() => this.#clear());
    await this.#clearing;
  }

  /** Images that nobody uses and nobody will, the one taken longest ago first. */
  #spare(): readonly string[] {
    const newest = [...this.#used.keys()].slice(-this.#rules.recent);
    const isNeeded = (image: string) =>
      this.#left === null ? newest.includes(image) : (this.#left.get(image) ?? 0) > 0;
    return [...this.#used].flatMap(([image, jobs]) => (jobs > 0 || isNeeded(image) ? [] : [image]));
  }

  async #clear(): Promise<void> {
    const { store, limit } = this.#rules;
    for (const image of this.#spare()) {
      if ((await store.size()) <= limit) return;
      this.#used.delete(image);
      await store.remove(image);
    }
  }
}
