import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/domain/clock.ts";
import { PmcoderError } from "../../src/domain/errors.ts";
import { type Retrying, retryAfterSec, type Verdict, withRetries } from "../../src/models/retry.ts";
import { calling } from "../contracts/model.ts";
import { stoppedClock } from "../stopped-clock.ts";

const policy = { attempts: 10, retryBaseSec: 2, retryMaxSec: 60 };

function again(askedSec: number | null = null): Verdict {
  return { kind: "again", reason: "busy", askedSec, cause: {} };
}

/** An attempt that fails `times` times before it gives "done", with what it was told of. */
function setup(times: number, verdict: Verdict, changes: Partial<Retrying> = {}) {
  let tries = 0;
  const call = calling(changes.signal);
  const clock = stoppedClock();
  const attempt = async () => {
    tries += 1;
    if (tries <= times) throw new Error("busy");
    return "done";
  };
  const retrying = { name: "a:b", policy, clock, judge: () => verdict, ...call, ...changes };
  return { run: () => withRetries(attempt, retrying), clock, ...call, tries: () => tries };
}

describe("withRetries", () => {
  it("doubles its waits up to the bound, and really waits", async () => {
    const { run, retries, clock } = setup(7, again());
    const start = clock.now();
    expect(await run()).toBe("done");
    expect(retries.map(({ attempt, of, waitSec }) => [attempt, of, waitSec])).toEqual([
      [1, 10, 2],
      [2, 10, 4],
      [3, 10, 8],
      [4, 10, 16],
      [5, 10, 32],
      [6, 10, 60],
      [7, 10, 60],
    ]);
    expect(clock.now() - start).toBe(182_000);
  });

  it.each([
    ["hours back", -3 * 3_600_000],
    ["hours ahead", 5 * 3_600_000],
  ])("waits and tries no more and no less when the clock jumps %s", async (_, jumpMs) => {
    const slept: number[] = [];
    let now = Date.UTC(2026, 0, 1);
    const jumping: Clock = {
      now: () => now,
      sleep: async (ms) => {
        slept.push(ms);
        now += ms + jumpMs;
      },
    };
    const { run, tries } = setup(99, again(), { clock: jumping });
    await expect(run()).rejects.toMatchObject({ code: "model_unavailable" });
    expect([tries(), slept]).toEqual([10, [2, 4, 8, 16, 32, 60, 60, 60, 60].map((s) => s * 1000)]);
  });

  it.each([
    [7, 7, "busy"],
    [0, 0, "busy"],
    [60, 60, "busy"],
    [3600, 60, "busy (the server asked for 3600 s, cut to 60 s)"],
  ])("waits as asked, %d s, but no longer than the bound", async (asked, waitSec, reason) => {
    const { run, retries } = setup(1, again(asked));
    await run();
    expect(retries).toEqual([{ attempt: 1, of: 10, waitSec, reason }]);
  });

  it("stops after the last try", async () => {
    const { run, retries, tries } = setup(99, again());
    await expect(run()).rejects.toMatchObject({
      code: "model_unavailable",
      message:
        "a:b gave no reply in 10 tries; the last one failed with: busy. Try again later, or choose another model.",
    });
    expect([tries(), retries.length]).toEqual([10, 9]);
  });

  it("gives up at once where there is no hope", async () => {
    const error = new PmcoderError("context_exhausted", "too long");
    const { run, tries } = setup(1, { kind: "give_up", error });
    await expect(run()).rejects.toBe(error);
    expect(tries()).toBe(1);
  });

  it("is interrupted during an attempt that does not listen", async () => {
    const aborter = new AbortController();
    const retrying: Retrying = {
      name: "a:b",
      policy,
      clock: stoppedClock(),
      judge: () => again(),
      ...calling(aborter.signal),
    };
    const run = withRetries(() => new Promise(() => {}), retrying);
    aborter.abort(new Error("stop"));
    await expect(run).rejects.toMatchObject({ code: "interrupted", cause: { message: "stop" } });
  });

  it("is interrupted during a wait, and makes no further try", async () => {
    const aborter = new AbortController();
    const endless: Clock = { now: () => 0, sleep: () => new Promise(() => {}) };
    const { run, retries, tries } = setup(1, again(), { clock: endless, signal: aborter.signal });
    const running = run();
    await expect.poll(() => tries()).toBe(1);
    await expect.poll(() => retries.length).toBe(1);
    aborter.abort();
    await expect(running).rejects.toMatchObject({ code: "interrupted" });
    expect(tries()).toBe(1);
  });
});

describe("a signal that lives through a whole run", () => {
  it("is not what an attempt or a wait gets, and keeps nothing of them", async () => {
    const { signal } = new AbortController();
    const seen: AbortSignal[] = [];
    const attempt = async (own: AbortSignal) => {
      seen.push(own);
      own.addEventListener("abort", () => {});
      if (seen.length < 4) throw new Error("busy");
    };
    const clock = stoppedClock();
    await withRetries(attempt, {
      name: "a:b",
      policy,
      clock,
      judge: () => again(),
      ...calling(signal),
    });
    expect(new Set([signal, ...seen]).size).toBe(5);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("ends what it was for", async () => {
    const aborter = new AbortController();
    const reasons: unknown[] = [];
    const run = withRetries(
      (own) => new Promise(() => own.addEventListener("abort", () => reasons.push(own.reason))),
      {
        name: "a:b",
        policy,
        clock: stoppedClock(),
        judge: () => again(),
        ...calling(aborter.signal),
      },
    );
    aborter.abort("Ctrl-C");
    await expect(run).rejects.toMatchObject({ code: "interrupted" });
    expect(reasons).toEqual(["Ctrl-C"]);
  });
});

describe("retryAfterSec", () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0);

  it.each([
    ["7", 7],
    [" 2.5 ", 2.5],
    ["99999999999", 99_999_999_999],
    ["Thu, 01 Jan 2026 12:00:30 GMT", 30],
    ["Thu, 01 Jan 2026 11:59:00 GMT", null],
    ["0", null],
    ["-5", null],
    ["soon", null],
    ["", null],
    [null, null],
  ])("reads %j as %j", (value, seconds) => {
    expect(retryAfterSec(value, now)).toBe(seconds);
  });
});
