import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import type { RunLocks } from "../../src/domain/run-lock.ts";

export interface OpenedRunLocks {
  readonly locks: RunLocks;
  /** Another connection to the same locks, as another process has it. */
  readonly others: RunLocks;
  close(): void | Promise<void>;
}

/** What every way to lock runs keeps to. `open` gives one with no run held. */
export function describeRunLocks(name: string, open: () => OpenedRunLocks): void {
  describe(`${name} as locks of runs`, () => {
    let opened: OpenedRunLocks;
    let locks: RunLocks;
    let others: RunLocks;

    beforeEach(() => {
      opened = open();
      ({ locks, others } = opened);
    });
    afterEach(() => opened.close());

    it("gives a run to one, and to the next once it is let go", async () => {
      expect(await others.isHeld("r1")).toBe(false);
      const lock = await locks.acquire("r1");
      expect([await locks.isHeld("r1"), await others.isHeld("r1")]).toEqual([true, true]);
      await expect(others.acquire("r1")).rejects.toThrow(PmcoderError);
      await expect(locks.acquire("r1")).rejects.toMatchObject({ code: "usage" });
      await lock.release();
      expect(await others.isHeld("r1")).toBe(false);
      await (await others.acquire("r1")).release();
    });

    it("names the process that has it", async () => {
      const lock = await locks.acquire("r1");
      const refused = expect(others.acquire("r1")).rejects;
      await refused.toThrow(`Process ${process.pid} on `);
      await lock.release();
    });

    it("holds each run for itself", async () => {
      const first = await locks.acquire("r1");
      const second = await others.acquire("r2");
      expect([await others.isHeld("r1"), await locks.isHeld("r2")]).toEqual([true, true]);
      await first.release();
      expect([await locks.isHeld("r1"), await locks.isHeld("r2")]).toEqual([false, true]);
      await second.release();
    });

    it("may be let go twice, which takes nothing from the next", async () => {
      const lock = await locks.acquire("r1");
      await lock.release();
      const next = await others.acquire("r1");
      await lock.release();
      expect(await locks.isHeld("r1")).toBe(true);
      await next.release();
    });

    it("is not let go by whoever only looks", async () => {
      const lock = await locks.acquire("r1");
      for (let look = 0; look < 3; look += 1) expect(await locks.isHeld("r1")).toBe(true);
      await lock.release();
    });
  });
}
