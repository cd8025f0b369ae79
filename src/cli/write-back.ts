import type { Bank } from "../domain/bank.ts";
import type { EpisodeEvent } from "../domain/episode.ts";
import type { Learned } from "../domain/experience.ts";
import { costOf, type Model } from "../domain/model.ts";
import { dollars } from "../domain/quantities.ts";
import { pastEpisodeOf } from "../experience/past-episode.ts";
import type { OpenExperience } from "./compose-experience.ts";
import type { Env } from "./env.ts";
import { explain } from "./exit-code.ts";

interface Ended {
  readonly events: readonly EpisodeEvent[];
  readonly patch: string;
  readonly model: Model;
  readonly env: Env;
}

/**
 * Learns from a run that has ended for good, and counts for each memory that was shown in it whether
 * it helped. Returns what to tell people, a line each; a failure is one of them.
 */
export async function writeBack(
  { memory, bank, file, experience: { target } }: OpenExperience,
  { events, patch, model, env }: Ended,
): Promise<readonly string[]> {
  const episode = pastEpisodeOf(events, patch, target);
  if (episode === null) return [];
  const { counted, spent } = counting(model);
  try {
    await countUses(bank, events, episode.resolved);
    const learned = await memory(counted).learn(episode);
    return [told(learned, file, spent()), ...learned.notes];
  } catch (error) {
    return [`Nothing is learned from this run: ${explain(error, env)}`];
  }
}

async function countUses(
  bank: Bank,
  events: readonly EpisodeEvent[],
  resolved: boolean,
): Promise<void> {
  const shown = events.flatMap((event) => (event.type === "experience" ? event.recalled : []));
  const ids = [...new Set(shown.map(({ id }) => id))];
  if (ids.length === 0) return;
  await bank.count(ids, "uses");
  await bank.count(ids, resolved ? "helped" : "harmed");
}

function told({ added, changed }: Learned, file: string, cost: number | null): string {
  const price = cost === 0 ? "" : ` (${dollars(cost)})`;
  if (added + changed === 0) return `learned: nothing new${price}`;
  return `learned: ${added} added, ${changed} changed in ${file}${price}`;
}

/** The model, and what its answers have cost so far; null: the price is not known. */
export function counting(model: Model) {
  let sum: number | null = 0;
  const counted: Model = {
    name: model.name,
    price: model.price,
    complete: async (request, options) => {
      const reply = await model.complete(request, options);
      sum = sum === null || model.price === null ? null : sum + costOf(reply.usage, model.price);
      return reply;
    },
  };
  return { counted, spent: () => sum };
}
