import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { keepLease } from "../../src/store/queue-lease.ts";

describe("a lease", () => {
  it("holds for as long as it is renewed, and is not renewed once it is let go", async () => {
    let asked = 0;
    const renewal = keepLease(900, async () => {
      asked += 1;
      return true;
    });
    while (asked < 5) await wait(10);
    renewal.stop();
    await wait(400);
    expect([asked, renewal.lost.aborted]).toEqual([5, false]);
  });

  it.each([
    ["it is another's", () => Promise.resolve(false), 1],
    ["the server is away for its whole length", () => Promise.reject(new Error("away")), 3],
    ["the server does not answer for its whole length", () => new Promise<boolean>(() => {}), 1],
  ])("is lost when %s", async (_when, renew, most) => {
    let asked = 0;
    const { lost } = keepLease(90, () => {
      asked += 1;
      return renew();
    });
    await once(lost, "abort");
    await wait(60);
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(most);
  });
});
