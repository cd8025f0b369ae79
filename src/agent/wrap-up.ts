import type { RunConfig } from "../domain/config/run-config.ts";
import type { EpisodeLog } from "./episode-log.ts";
import type { Spent } from "./limits.ts";
import type { LoopParts } from "./loop.ts";

/**
 * Tells the model once, at the end of the newest tool result, that the last slice of a limit has
 * begun, so that it finishes what it is doing instead of being cut off.
 */
export async function wrapUp({ config, clock }: LoopParts, log: EpisodeLog): Promise<void> {
  if (log.hasWrappedUp) return;
  const { spent, startedAt } = log;
  const near = limitNear(config.agent, spent, (clock.now() - startedAt) / 1000);
  if (near !== null) await remark(log, "limit", `${near} ${advice}`);
}

const advice = "Finish what you are doing, check it, and submit.";

/** A remark goes to the newest tool result; before the first one there is nothing to remark on. */
export async function remark(
  log: EpisodeLog,
  about: "limit" | "rebuilt",
  sentence: string,
): Promise<void> {
  const newest = log.messages.at(-1);
  if (newest?.role !== "tool") return;
  const text = `<notice>\n${sentence}\n</notice>`;
  await log.record({ type: "remark", about, step: log.spent.steps, callId: newest.callId, text });
}

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
