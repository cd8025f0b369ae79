import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/cli/compose.ts";

describe("systemClock", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("tells the time in whole milliseconds", () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(Number.isInteger(now)).toBe(true);
    expect(Math.abs(now - before)).toBeLessThan(60_000);
  });

  it.each([
    ["back", -3 * 3_600_000],
    ["ahead", 5 * 3_600_000],
  ])("goes on as before when the machine's time is set hours %s", async (_, jumpMs) => {
    const before = systemClock.now();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + jumpMs });
    await systemClock.sleep(20, new AbortController().signal);
    const passed = systemClock.now() - before;
    expect(passed).toBeGreaterThanOrEqual(19);
    expect(passed).toBeLessThan(60_000);
  });

  it("wakes up when it is told to", async () => {
    const sleep = systemClock.sleep(60_000, AbortSignal.abort(new Error("Ctrl-C")));
    await expect(sleep).rejects.toThrow();
  });
});
