import type { RunConfig } from "../domain/config/run-config.ts";
import type { EpisodeLog } from "./episode-log.ts";
import type { Spent } from "./limits.ts";
import type { LoopParts } from "./loop.ts";

/**
 * Tells the model, at the end of the newest tool result, what it must know of the run itself, each
 * thing once. Before the first result, and after a reply that ran nothing, it has to wait.
 */
export async function remark(parts: LoopParts, log: EpisodeLog): Promise<void> {
  for (const { about, sentence } of remarksDue(parts, log)) {
    const newest = log.messages.at(-1);
    if (newest?.role !== "tool") return;
    const text = `<notice>\n${sentence}\n</notice>`;
    await log.record({ type: "remark", about, step: log.spent.steps, callId: newest.callId, text });
  }
}

interface Remark {
  readonly about: "limit" | "raised" | "rebuilt";
  readonly sentence: string;
}

/**
 * A limit of which the last slice has begun is told so that the model finishes what it is doing
 * instead of being cut off.
 */
function remarksDue({ config, clock }: LoopParts, log: EpisodeLog): readonly Remark[] {
  const owed = log.owed.map((about) => ({ about, sentence: news[about] }));
  if (log.knowsLimit && !log.owed.includes("raised")) return owed;
  const near = limitNear(config.agent, log.spent, (clock.now() - log.startedAt) / 1000);
  return near === null ? owed : [...owed, { about: "limit", sentence: `${near} ${advice}` }];
}

const news = {
  rebuilt:
    "The environment had to be built anew. The repository's files are as they were last saved, which may be before the newest command; ignored files, files outside the repository and background processes are gone. Check before you go on.",
  raised: "The limit was raised, so there is room again: go on as before it was near.",
} as const;

const advice = "Finish what you are doing, check it, and submit.";

type Limits = Pick<RunConfig["agent"], "stepLimit" | "costLimit" | "timeLimitSec" | "wrapUpShare">;

/** Which limit has only its reserved slice left, as a sentence; null: none. */
export function limitNear(limits: Limits, spent: Spent, elapsedSec: number): string | null {
  const { stepLimit, costLimit, timeLimitSec, wrapUpShare: share } = limits;
  if (share === 0) return null;
  const left = stepLimit - spent.steps;
  // One step is no slice: the message must leave a turn to act on it, and one to submit.
  if (left >= 1 && left <= Math.max(2, Math.floor(stepLimit * share))) {
    return `${left === 1 ? "1 step is" : `${left} steps are`} left of ${stepLimit}.`;
  }
  if (costLimit !== null && spent.cost >= costLimit * (1 - share)) {
    return "The money for this run is almost used up.";
  }
  if (timeLimitSec !== null && elapsedSec >= timeLimitSec * (1 - share)) {
    return "The time for this run is almost used up.";
  }
  return null;
}
