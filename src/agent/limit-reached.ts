import type { Message } from "../domain/message.ts";
import type { EpisodeLog } from "./episode-log.ts";
import { nextCallCost, type Reached, reachedLimit } from "./limits.ts";
import type { LoopParts } from "./loop.ts";

/**
 * The limit that stands in the way of the next model call, or null. `unseen`: what its prompt holds
 * beyond the newest one that the model has answered.
 */
export function limitReached(
  { config, clock, model }: Pick<LoopParts, "config" | "clock" | "model">,
  { spent, startedAt }: Pick<EpisodeLog, "spent" | "startedAt">,
  unseen: readonly Message[],
): Reached | null {
  const { maxOutputTokens } = config.model;
  const next = model.price && nextCallCost(spent, unseen, maxOutputTokens, model.price);
  return reachedLimit(config.agent, spent, (clock.now() - startedAt) / 1000, next);
}
