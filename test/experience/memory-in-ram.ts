import type {
  ExperienceName,
  LongTermMemory,
  Occasion,
  PastEpisode,
  Recollection,
} from "../../src/domain/experience.ts";

export interface MemoryInRam extends LongTermMemory {
  /** Every occasion on which it was asked, oldest first. */
  readonly asked: readonly Occasion[];
  readonly learned: readonly PastEpisode[];
}

/** What a test says of a memory; the rest follows. */
export type Said = Pick<Recollection, "text"> & Partial<Recollection>;

export function recollection(source: ExperienceName, said: Said, n = 1): Recollection {
  const stage = source === "repomem" || source === "swe-exp" ? null : "loc";
  return { id: `${source}-${n}`, source, stage, instanceId: null, score: 1 / n, ...said };
}

/** A memory that says the same on each occasion but about the issue at hand, and learns by heart. */
export function memoryInRam(
  source: ExperienceName,
  say: (occasion: Occasion) => readonly Said[],
): MemoryInRam {
  const asked: Occasion[] = [];
  const learned: PastEpisode[] = [];
  return {
    asked,
    learned,
    recall: async (occasion) => {
      asked.push(occasion);
      const all = say(occasion).map((said, n) => recollection(source, said, n + 1));
      const allowed = all.filter(({ instanceId }) => {
        return instanceId === null || instanceId !== occasion.target.instanceId;
      });
      const denials = all.length - allowed.length;
      return { recollections: allowed, denied: denials === 0 ? {} : { "same instance": denials } };
    },
    learn: async (episode) => {
      const isNew = learned.every(({ source: run }) => run !== episode.source);
      if (isNew) learned.push(episode);
      return { added: isNew ? 1 : 0, changed: 0, notes: [] };
    },
  };
}
