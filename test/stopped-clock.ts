import type { Clock } from "../src/domain/clock.ts";

export interface StoppedClock extends Clock {
  advance(ms: number): void;
}

/** A clock that moves only when told to; sleeping moves it at once. */
export function stoppedClock(startMs = Date.UTC(2026, 0, 1)): StoppedClock {
  let now = startMs;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      now += ms;
    },
  };
}
