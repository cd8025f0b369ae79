import { describe, expect, it } from "vitest";
import { beginStanding } from "../../src/viewer/insight.ts";
import { ladderOf, statusAt } from "../../src/viewer/ladder.ts";
import { insightsOf, toldRecording } from "./recordings.ts";

const reads = Array.from({ length: 16 }, (_, n) => `cat src/f${n}.py`);
const recording = toldRecording(reads);
const ladder = ladderOf(beginStanding(recording).state.plan, insightsOf(recording).insights);

describe("the ladder", () => {
  it("holds the plan in order, and a recovery below the sub-task that failed", () => {
    expect(ladder.map(({ id, depth, phase }) => [id, depth, phase])).toEqual([
      ["p1", 0, "explore"],
      ["r1.1", 1, "hypothesize"],
      ["r1.2", 1, "implement"],
      ["p2", 0, "hypothesize"],
      ["p3", 0, "implement"],
      ["p4", 0, "verify"],
    ]);
  });

  it.each([
    ["p1", 14, "open"],
    ["p1", 15, "failed"],
    ["r1.1", 14, "unknown"],
    ["r1.1", 15, "open"],
    ["p2", 16, "open"],
  ])("says of %s at step %i that it is %s", (id, step, status) => {
    const item = ladder.find((one) => one.id === id);
    expect(item && statusAt(item, step)).toBe(status);
  });

  it("is empty without a planner", () => {
    expect(ladderOf(null, [])).toEqual([]);
  });
});
