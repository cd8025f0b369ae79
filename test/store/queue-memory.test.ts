import { describe, expect, it } from "vitest";
import { openMemoryQueue } from "../../src/store/queue-memory.ts";
import { describeQueue } from "../contracts/queue.ts";
import { stoppedClock } from "../stopped-clock.ts";

const rules = { maxAttempts: 3, retryDelaySec: 0 };

describeQueue("The queue in this process", async () => {
  const queue = openMemoryQueue({ now: Date.now }, rules);
  return { queue, close: () => queue.close() };
});

describe("the queue in this process", () => {
  it("lets a failed job wait as long as its rules say, the others go first", async () => {
    const clock = stoppedClock();
    const queue = openMemoryQueue(clock, { maxAttempts: 2, retryDelaySec: 15 });
    await queue.enqueue(["a", "b"].map((id) => ({ id, payload: null })));
    const seen: unknown[] = [];
    await queue.work(
      async ({ id }, { number }) => {
        seen.push([id, number, clock.now() - Date.UTC(2026, 0, 1)]);
        if (id === "a" && number === 1) throw new Error("the engine was lost");
        if (id === "b") clock.advance(14_999);
        if (id === "b") setTimeout(() => clock.advance(1), 20);
      },
      { concurrency: 1, drain: new AbortController().signal },
    );
    expect(seen).toEqual([
      ["a", 1, 0],
      ["b", 1, 0],
      ["a", 2, 15_000],
    ]);
  });
});
