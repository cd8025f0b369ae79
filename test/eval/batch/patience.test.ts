import { describe, expect, it } from "vitest";
import type { BatchEvent } from "../../../src/eval/batch/batch-event.ts";
import { watchForBreakdown } from "../../../src/eval/batch/patience.ts";
import { jobOf } from "../../../src/eval/experiment/expand.ts";

const failed = (instance: string, seed = 1): BatchEvent => ({
  type: "failed",
  job: jobOf(instance, "full", seed).id,
  at: 0,
  status: "environment_lost",
  reason: `no engine for ${instance}.`,
});
const graded = (instance: string): BatchEvent => ({
  type: "graded",
  job: jobOf(instance, "full", 1).id,
  resolved: null,
});
const all = ["a", "b", "c", "d", "e", "f"];

function reasonsAfter(...events: readonly BatchEvent[]): readonly string[] {
  const reasons: string[] = [];
  const watch = watchForBreakdown((reason) => reasons.push(reason));
  events.forEach(watch);
  return reasons;
}

describe("a batch in which attempts fail", () => {
  it("counts as broken once five instances failed one after another", () => {
    const again = all.map((id) => failed(id, 2));
    expect(reasonsAfter(...all.map((id) => failed(id)), graded("x"), ...again)).toEqual([
      "5 instances failed one after another, the last one so: no engine for e. Mend it and start the same command again.",
    ]);
  });

  it.each([
    ["one instance, however often", Array.from({ length: 36 }, (_, n) => failed("a", n))],
    [
      "a run in between that counts",
      [
        ...all.slice(0, 4).map((id) => failed(id)),
        graded("x"),
        ...all.slice(0, 4).map((id) => failed(id)),
      ],
    ],
    ["interruptions", all.map((id) => ({ ...failed(id), status: "interrupted" }) as BatchEvent)],
  ])("does not count as broken for %s", (_, events) => {
    expect(reasonsAfter(...events)).toEqual([]);
  });
});
