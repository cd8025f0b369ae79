import { describe, expect, it } from "vitest";
import {
  activeMs,
  nextCallCost,
  nothingSpent,
  reachedLimit,
  type Spent,
  spend,
} from "../../src/agent/limits.ts";
import type { EpisodeEvent, RecordedEvent } from "../../src/domain/episode.ts";

const limits = {
  stepLimit: 3,
  costLimit: 1,
  costRule: "hard" as const,
  timeLimitSec: 60,
  maxFormatErrors: 3,
};
const spent = (more: Partial<Spent>): Spent => ({ ...nothingSpent, ...more });

describe("reachedLimit", () => {
  it.each([
    { name: "nothing used", used: {}, elapsed: 0, next: 0, status: undefined },
    { name: "steps used up", used: { steps: 3 }, elapsed: 0, next: 0, status: "step_limit" },
    { name: "time used up", used: {}, elapsed: 60, next: 0, status: "time_limit" },
    { name: "money spent", used: { cost: 1 }, elapsed: 0, next: 0, status: "cost_limit" },
    {
      name: "a next call that fits",
      used: { cost: 0.5 },
      elapsed: 0,
      next: 0.5,
      status: undefined,
    },
    {
      name: "one that does not",
      used: { cost: 0.5 },
      elapsed: 0,
      next: 0.51,
      status: "cost_limit",
    },
    { name: "an unknown price", used: { cost: 9 }, elapsed: 0, next: null, status: undefined },
    {
      name: "format errors",
      used: { formatErrors: 3 },
      elapsed: 0,
      next: 0,
      status: "format_errors",
    },
  ])("with $name: $status", ({ used, elapsed, next, status }) => {
    expect(reachedLimit(limits, spent(used), elapsed, next)?.status).toBe(status);
  });

  it("lets the spent rule overshoot by one call", () => {
    const rule = { ...limits, costRule: "spent" as const };
    expect(reachedLimit(rule, spent({ cost: 0.99 }), 0, 5)).toBeNull();
    expect(reachedLimit(rule, spent({ cost: 1 }), 0, 5)?.status).toBe("cost_limit");
  });

  it("knows no format limit when there is none", () => {
    const free = { ...limits, maxFormatErrors: null };
    expect(reachedLimit(free, spent({ formatErrors: 99 }), 0, 0)).toBeNull();
  });
});

describe("nextCallCost", () => {
  it("counts the prompt as the server saw it, what came since, and a full answer", () => {
    const lastUsage = { input: 1000, cached: 900, cacheWritten: 0, output: 200 };
    const unseen = [{ role: "tool", callId: "a", content: "x".repeat(300) }] as const;
    const price = { input: 3, cached: 0.3, cacheWritten: 3.75, output: 15 };
    // (1000 + 200 + 100) · $3/M + 8192 · $15/M
    expect(nextCallCost(spent({ lastUsage }), unseen, 8192, price)).toBeCloseTo(0.12678, 10);
  });
});

describe("activeMs", () => {
  const at = (...moments: readonly (readonly [number, EpisodeEvent["type"]])[]) =>
    moments.map(([ms, type], seq) => ({ type, seq, run: "r", at: ms }) as RecordedEvent);

  it.each([
    { name: "nothing", events: at(), ms: 0 },
    { name: "one event", events: at([5, "begin"]), ms: 0 },
    { name: "a run", events: at([5, "begin"], [8, "reply"], [25, "end"]), ms: 20 },
    {
      name: "a pause",
      events: at([0, "begin"], [10, "reply"], [900, "resume"], [905, "end"]),
      ms: 15,
    },
    { name: "a clock set back", events: at([100, "begin"], [40, "reply"], [50, "end"]), ms: 10 },
    {
      name: "a clock set back in a pause",
      events: at([100, "begin"], [7, "resume"], [9, "end"]),
      ms: 2,
    },
  ])("counts the time at work: $name", ({ events, ms }) => {
    expect(activeMs(events)).toBe(ms);
  });
});

describe("spend", () => {
  const reply = (purpose: "act" | "decompose", cost: number | null): EpisodeEvent => ({
    type: "reply",
    step: 1,
    purpose,
    message: { role: "assistant", content: "", calls: [] },
    usage: { input: 1, cached: 0, cacheWritten: 0, output: 1 },
    cost,
    stop: "end",
    seconds: 1,
  });
  const formatError: EpisodeEvent = { type: "format_error", step: 1, kind: "no_call", answers: [] };

  it("counts act replies as steps and the money of all", () => {
    const events = [reply("decompose", 0.25), reply("act", 0.5), reply("act", null)];
    expect(events.reduce(spend, nothingSpent)).toMatchObject({ steps: 2, cost: 0.75 });
  });

  it("starts counting format errors anew after a command", () => {
    const command: EpisodeEvent = { type: "command", step: 2, callId: "a", command: "ls" };
    const events = [formatError, formatError, command, formatError];
    expect(events.reduce(spend, nothingSpent).formatErrors).toBe(1);
  });
});
