import { elidedText, stepsOf } from "../domain/elide.ts";
import type { Message } from "../domain/message.ts";

export interface Compaction {
  /** The newest step whose tool results are elided. */
  readonly upTo: number;
  /** Characters that go. */
  readonly freed: number;
}

export interface CompactionNeed {
  /** Characters that must go. */
  readonly chars: number;
  /** The newest turns, which keep their results. */
  readonly keepTurns: number;
}

/**
 * The smallest compaction that frees so many characters: the oldest tool results first, those of
 * the newest turns never. Frees what it can if that is not enough, which `freed` tells; null when
 * nothing is left to elide. Carried out by `elide(messages, upTo)`.
 */
export function compaction(
  messages: readonly Message[],
  { chars, keepTurns }: CompactionNeed,
): Compaction | null {
  const steps = stepsOf(messages);
  const last = (steps.at(-1) ?? 0) - keepTurns;
  let found: Compaction = { upTo: 0, freed: 0 };
  for (const [at, message] of messages.entries()) {
    const step = steps[at] ?? 0;
    const enough = found.freed >= chars && step > found.upTo;
    if (step > last || enough) break;
    if (message.role !== "tool") continue;
    const { content } = message;
    const freed = content.length - elidedText(step, content).length;
    if (freed > 0) found = { upTo: step, freed: found.freed + freed };
  }
  return found.freed > 0 ? found : null;
}
