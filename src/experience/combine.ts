import { PmcoderError } from "../domain/errors.ts";
import type {
  Denials,
  ExperienceName,
  Learned,
  LongTermMemory,
  Recalled,
} from "../domain/experience.ts";

export interface NamedMemory {
  readonly name: ExperienceName;
  readonly memory: LongTermMemory;
}

/** What several memories say together. */
export interface RecalledTogether extends Recalled {
  /** Which of them failed, and why: a sentence each. */
  readonly failures: readonly string[];
}

/** Several memories as one. */
export interface CombinedMemory extends LongTermMemory {
  recall: (...given: Parameters<LongTermMemory["recall"]>) => Promise<RecalledTogether>;
}

/**
 * Several memories as one, asked one after the other in the order given. One that fails is told of
 * and silences no other; both methods reject with PmcoderError `interrupted` alone.
 */
export function combine(memories: readonly NamedMemory[]): CombinedMemory {
  return {
    recall: async (occasion) => {
      const answers = await inTurn(memories, (memory) => memory.recall(occasion));
      return {
        recollections: answers.given.flatMap(({ recollections }) => recollections),
        denied: sum(answers.given.map(({ denied }) => denied)),
        failures: answers.failures.map((failure) => `Nothing is recalled from ${failure}`),
      };
    },
    learn: async (episode): Promise<Learned> => {
      const answers = await inTurn(memories, (memory) => memory.learn(episode));
      const failures = answers.failures.map((failure) => `Nothing more is learned by ${failure}`);
      // Two that learn the same records have the same to say of an episode without any.
      const notes = new Set(answers.given.flatMap((learned) => learned.notes));
      return {
        added: answers.given.reduce((total, { added }) => total + added, 0),
        changed: answers.given.reduce((total, { changed }) => total + changed, 0),
        notes: [...notes, ...failures],
      };
    },
  };
}

/** The answers of those that gave one, and of the others `NAME: REASON`. */
async function inTurn<T>(
  memories: readonly NamedMemory[],
  ask: (memory: LongTermMemory) => Promise<T>,
): Promise<{ readonly given: readonly T[]; readonly failures: readonly string[] }> {
  const given: T[] = [];
  const failures: string[] = [];
  for (const { name, memory } of memories) {
    try {
      given.push(await ask(memory));
    } catch (error) {
      if (error instanceof PmcoderError && error.code === "interrupted") throw error;
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { given, failures };
}

function sum(all: readonly Denials[]): Denials {
  const total = new Map<string, number>();
  for (const denials of all) {
    for (const [reason, n] of Object.entries(denials))
      total.set(reason, (total.get(reason) ?? 0) + n);
  }
  return Object.fromEntries(total);
}
