import type { Clock } from "../domain/clock.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { CallOptions } from "../domain/model.ts";

/** What a failed attempt means. `askedSec`: the wait that the server asked for, 0 for none. */
export type Verdict =
  | { readonly kind: "give_up"; readonly error: PmcoderError }
  | {
      readonly kind: "again";
      readonly reason: string;
      readonly askedSec: number | null;
      readonly cause: ErrorOptions;
    };

type RetryPolicy = Pick<RunConfig["model"], "attempts" | "retryBaseSec" | "retryMaxSec">;

export interface Retrying extends CallOptions {
  /** Whose attempts these are, for messages. */
  readonly name: string;
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly judge: (error: unknown) => Verdict;
}

function interrupted(signal: AbortSignal): PmcoderError {
  return new PmcoderError("interrupted", "The model call was interrupted.", {
    cause: signal.reason,
  });
}

/**
 * `work`, or `interrupted` as soon as the signal aborts, whatever `work` does about it. It gets a
 * signal of its own: the run's lives for hours, and an SDK leaves a listener on what it is given.
 */
function untilAborted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  if (signal.aborted) return Promise.reject(interrupted(signal));
  const own = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const abort = () => {
      own.abort(signal.reason);
      reject(interrupted(signal));
    };
    signal.addEventListener("abort", abort, { once: true });
    void work(own.signal)
      .then(resolve, reject)
      .then(() => signal.removeEventListener("abort", abort));
  });
}

/**
 * Seconds that a `Retry-After` value asks for: a number of seconds or an HTTP date (RFC 9110,
 * 10.2.3). null: absent, unreadable, or not in the future.
 */
export function retryAfterSec(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  const text = value.trim();
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  return seconds > 0 ? seconds : null;
}

function bounded(askedSec: number | null, reason: string, maxSec: number): string {
  if (askedSec === null || askedSec <= maxSec) return reason;
  return `${reason} (the server asked for ${Math.round(askedSec)} s, cut to ${maxSec} s)`;
}

type Again = Extract<Verdict, { kind: "again" }>;

function usedUp(name: string, tries: number, { reason, cause }: Again): PmcoderError {
  const count = tries === 1 ? "1 try" : `${tries} tries`;
  const message = `${name} gave no reply in ${count}; the last one failed with: ${reason}. Try again later, or choose another model.`;
  return new PmcoderError("model_unavailable", message, cause);
}

async function waitBefore(tries: number, verdict: Again, retrying: Retrying): Promise<void> {
  const { policy, clock, signal, onRetry } = retrying;
  const { askedSec } = verdict;
  const wanted = askedSec ?? policy.retryBaseSec * 2 ** (tries - 1);
  const waitSec = Math.min(wanted, policy.retryMaxSec);
  const reason = bounded(askedSec, verdict.reason, policy.retryMaxSec);
  await onRetry({ attempt: tries, of: policy.attempts, waitSec, reason });
  await untilAborted((own) => clock.sleep(waitSec * 1000, own), signal);
}

async function tryOnce<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { signal, judge }: Retrying,
): Promise<{ readonly kind: "done"; readonly value: T } | Again> {
  try {
    return { kind: "done", value: await untilAborted(attempt, signal) };
  } catch (error) {
    if (signal.aborted) throw interrupted(signal);
    const verdict = judge(error);
    if (verdict.kind === "give_up") throw verdict.error;
    return verdict;
  }
}

/**
 * Runs `attempt` until it succeeds, is judged hopeless, or `policy.attempts` are used up. Waits
 * double from `retryBaseSec`, or are what the server asked for; none is longer than `retryMaxSec`. Each is
 * told through `onRetry` before it begins.
 * @throws PmcoderError what `judge` gave up with, `model_unavailable` after the last attempt, or
 * `interrupted` at once when the signal aborts, during an attempt or a wait.
 */
export async function withRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  retrying: Retrying,
): Promise<T> {
  const { policy, name } = retrying;
  for (let tries = 1; ; tries++) {
    const outcome = await tryOnce(attempt, retrying);
    if (outcome.kind === "done") return outcome.value;
    if (tries >= policy.attempts) throw usedUp(name, tries, outcome);
    await waitBefore(tries, outcome, retrying);
  }
}
