import type { Bank } from "../../domain/bank.ts";
import type { Learned, PastEpisode } from "../../domain/experience.ts";
import { toBank } from "../repair-memory.ts";
import { stageMemories } from "./learn-stages.ts";

/** Keeps what an episode teaches of the five stages; what is known already stays as it is. */
export async function rememberStages(
  bank: Pick<Bank, "add">,
  episode: PastEpisode,
): Promise<Learned> {
  const memories = stageMemories(episode).map((memory) => toBank(memory, episode.source));
  const kept = await bank.add(memories);
  const added = new Set(kept.flatMap(({ id, isNew }) => (isNew ? [id] : []))).size;
  const notes =
    memories.length === 0
      ? [`${episode.source}: nothing was run, changed or handed in that a memory could show.`]
      : [];
  return { added, changed: 0, notes };
}
