import type { RunConfig } from "../domain/config/run-config.ts";
import type { EpisodeEvent, ExitStatus, RecordedEvent } from "../domain/episode.ts";
import type { Message } from "../domain/message.ts";
import { costOf, isStep, type Price, type Usage } from "../domain/model.ts";

/** What a run has used so far: a fold over its events. */
export interface Spent {
  readonly steps: number;
  /** US dollars of all model calls whose price is known. */
  readonly cost: number;
  /** Replies in a row that held nothing to run. */
  readonly formatErrors: number;
  /** Usage of the newest act call, which tells how large the next prompt is at least. */
  readonly lastUsage: Usage | null;
}

export const nothingSpent: Spent = { steps: 0, cost: 0, formatErrors: 0, lastUsage: null };

export function spend(spent: Spent, event: EpisodeEvent): Spent {
  switch (event.type) {
    case "reply": {
      const cost = spent.cost + (event.cost ?? 0);
      if (!isStep(event.purpose)) return { ...spent, cost };
      const steps = spent.steps + 1;
      return { ...spent, cost, steps, lastUsage: event.purpose === "act" ? event.usage : null };
    }
    case "format_error":
      return { ...spent, formatErrors: spent.formatErrors + 1 };
    case "command":
      return { ...spent, formatErrors: 0 };
    default:
      return spent;
  }
}

/** Milliseconds that a run was at work: the pauses between its processes do not count. */
export function activeMs(events: readonly RecordedEvent[]): number {
  let sum = 0;
  let before: number | null = null;
  for (const { type, at } of events) {
    // A clock that was set back counts as no time at all.
    if (before !== null && type !== "resume") sum += Math.max(0, at - before);
    before = at;
  }
  return sum;
}

export interface Reached {
  readonly status: ExitStatus;
  readonly reason: string;
}

type Limits = Pick<
  RunConfig["agent"],
  "stepLimit" | "costLimit" | "costRule" | "timeLimitSec" | "maxFormatErrors"
>;

const dollars = (amount: number) => `$${amount.toFixed(amount < 1 ? 4 : 2)}`;

/** Characters a token, on the cautious side for code and prose (our choice). */
const charsPerToken = 3;

/**
 * What the next call costs if its answer is as long as it may be, nothing of it cached: the prompt
 * as the server last counted it, plus what was appended since (`unseen`, estimated by length).
 */
export function nextCallCost(
  spent: Spent,
  unseen: readonly Message[],
  maxOutputTokens: number,
  price: Price,
): number {
  const chars = unseen.reduce((sum, message) => sum + message.content.length, 0);
  const known = spent.lastUsage ? spent.lastUsage.input + spent.lastUsage.output : 0;
  const input = known + Math.ceil(chars / charsPerToken);
  return costOf({ input, cached: 0, cacheWritten: 0, output: maxOutputTokens }, price);
}

/** The limit that stands in the way of the next model call, or null. `next`: its cost, if known. */
export function reachedLimit(
  limits: Limits,
  spent: Spent,
  elapsedSec: number,
  next: number | null,
): Reached | null {
  const { stepLimit, costLimit, costRule, timeLimitSec, maxFormatErrors } = limits;
  if (maxFormatErrors !== null && spent.formatErrors >= maxFormatErrors) {
    const reason = `${spent.formatErrors} replies in a row held no usable tool call`;
    return { status: "format_errors", reason };
  }
  if (spent.steps >= stepLimit) {
    return { status: "step_limit", reason: `${spent.steps} of ${stepLimit} steps used` };
  }
  if (timeLimitSec !== null && elapsedSec >= timeLimitSec) {
    return {
      status: "time_limit",
      reason: `${Math.round(elapsedSec)} s of ${timeLimitSec} s used`,
    };
  }
  if (costLimit === null || next === null) return null;
  if (spent.cost >= costLimit) {
    const reason = `${dollars(spent.cost)} of ${dollars(costLimit)} spent`;
    return { status: "cost_limit", reason };
  }
  if (costRule === "hard" && spent.cost + next > costLimit) {
    const reason = `${dollars(spent.cost)} of ${dollars(costLimit)} spent, and the next call may cost ${dollars(next)}`;
    return { status: "cost_limit", reason };
  }
  return null;
}
