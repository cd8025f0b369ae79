import type { Brief, Briefing, Experience } from "../domain/briefing.ts";
import type { EpisodeEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Occasion } from "../domain/experience.ts";
import type { Model } from "../domain/model.ts";
import { put } from "./ask.ts";
import type { EpisodeLog } from "./episode-log.ts";
import { limitReached } from "./limit-reached.ts";
import type { LoopParts } from "./loop.ts";
import { occasionOf } from "./occasion.ts";

/** Memories across issues beside the loop. */
export interface Advisers {
  readonly experience: Experience;
  readonly briefing: Briefing;
}

/** null: the run has none. */
export function openExperience(parts: LoopParts, log: EpisodeLog): Advisers | null {
  const { experience = null } = parts;
  return experience && { experience, briefing: experience.open(countedModel(parts, log)) };
}

/**
 * Asks memories across issues when a phase was entered since they were asked last, and appends what
 * they say to the newest tool result. What fails in them is told and ends nothing. Before the first
 * result, and after a reply that ran nothing, it has to wait.
 */
export async function consultExperience(
  { experience, briefing }: Advisers,
  log: EpisodeLog,
): Promise<void> {
  const newest = log.messages.at(-1);
  const occasion = occasionOf(log.course, experience);
  if (occasion === null || newest?.role !== "tool") return;
  const { brief, failures } = await briefly(briefing, occasion, log.course.briefs);
  const notices = failures.map((text): EpisodeEvent => ({ type: "notice", text }));
  const { callId } = newest;
  await log.record(...notices, { type: "experience", step: log.spent.steps, callId, ...brief });
}

/** Whatever fails becomes a sentence, but for an interrupt. */
export async function briefly(
  briefing: Briefing,
  occasion: Occasion,
  earlier: readonly Brief[],
): ReturnType<Briefing> {
  try {
    return await briefing(occasion, earlier);
  } catch (error) {
    if (error instanceof PmcoderError && error.code === "interrupted") throw error;
    const { phase, entry } = occasion;
    const reason = error instanceof Error ? error.message : String(error);
    return {
      brief: { phase, entry, block: null, recalled: [], waiting: [], denied: {} },
      failures: [`Nothing is recalled from other issues: ${reason}`],
    };
  }
}

/**
 * The run's model for questions of memories: its replies and retries are recorded, it keeps to the
 * run's limits, and ends with the run.
 */
function countedModel(parts: LoopParts, log: EpisodeLog): Model {
  const { name, price } = parts.model;
  return {
    name,
    price,
    complete: async (given, options) => {
      const request = { ...given, ordinal: log.replies.get(given.purpose) ?? 0 };
      const { startedAt } = log;
      // No part of the conversation is sent along.
      const spent = { ...log.spent, lastUsage: null };
      const reached = limitReached(parts, { spent, startedAt }, request.messages);
      if (reached !== null) throw new PmcoderError("model_unavailable", reached.reason);
      const signal = AbortSignal.any([parts.signal, options.signal]);
      const { reply, event } = await put(
        { ...parts, signal },
        { step: log.spent.steps, request, onRetry: (retry) => log.record(retry) },
      );
      await log.record(event);
      return reply;
    },
  };
}
