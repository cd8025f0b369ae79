import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { inParallel } from "../../../src/cli/eval/grade-parallel.ts";

describe("work in parallel", () => {
  it.each([
    [1, 1],
    [3, 3],
    [0, 1],
    [99, 10],
  ])("with %i workers does every item, %i at once", async (workers, atOnce) => {
    const items = Array.from({ length: 10 }, (_, n) => n);
    const done: number[] = [];
    let [now, most] = [0, 0];
    await inParallel(items, workers, async (item) => {
      now += 1;
      most = Math.max(most, now);
      await wait(1);
      now -= 1;
      done.push(item);
    });
    expect([done.toSorted((one, other) => one - other), most]).toEqual([items, atOnce]);
  });

  it("begins nothing after a failure, and rejects once all is over", async () => {
    const begun: string[] = [];
    const ended: string[] = [];
    const run = inParallel(["slow", "bad", "never"], 2, async (item) => {
      begun.push(item);
      if (item === "bad") throw new Error("bad item");
      await wait(20);
      ended.push(item);
    });
    await expect(run).rejects.toThrow("bad item");
    expect([begun, ended]).toEqual([["slow", "bad"], ["slow"]]);
  });
});
