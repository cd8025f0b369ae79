import { describe, expect, it } from "vitest";
import type { Phase } from "../../../src/domain/phase.ts";
import type { SubTask } from "../../../src/domain/plan.ts";
import {
  activeItem,
  credit,
  creditRestored,
  failActive,
  type Items,
  type Standing,
  sweep,
} from "../../../src/substrate/planner/subtasks.ts";
import { subTask } from "./subtask-rows.ts";

const rules = { skipAfter: 3, dwell: 3 };

const plan: Items = {
  queue: [
    subTask({ id: "E", phase: "explore" }),
    subTask({ id: "H", phase: "hypothesize" }),
    subTask({ id: "I", phase: "implement" }),
    subTask({ id: "V", phase: "verify", terminal: true }),
  ],
  stack: [],
};

/** One call whose accepted phase is what was proposed. */
const at = (phase: Phase, proven = false): Standing => ({ phase, proposal: phase, proven });

function walk(items: Items, ...standings: Standing[]): Items {
  return standings.reduce<Items>(
    (current, standing) => sweep(credit(current, standing), standing, rules),
    items,
  );
}

const counts = (items: Items) =>
  items.queue.map(({ id, status, skipped, evidence, passed }) =>
    [id, skipped ? "skipped" : status, evidence, passed].join(" "),
  );

describe("evidence and completion", () => {
  const two = [at("explore"), at("explore")];
  const five = [...two, at("implement"), at("implement"), at("implement")];

  it.each<[string, readonly Standing[], readonly string[], string | null]>([
    [
      "one step",
      [at("explore")],
      ["E pending 1 0", "H pending 0 0", "I pending 0 0", "V pending 0 0"],
      "E",
    ],
    [
      "a jump over hypothesize",
      [...two, at("implement")],
      ["E done 2 0", "H pending 0 1", "I pending 1 0", "V pending 0 0"],
      "H",
    ],
    [
      "three calls past it",
      five,
      ["E done 2 0", "H skipped 0 3", "I pending 3 0", "V pending 0 0"],
      "I",
    ],
    [
      "a test run that proves",
      [...five, at("verify", true)],
      ["E done 2 0", "H skipped 0 3", "I done 3 0", "V done 1 0"],
      null,
    ],
    [
      "a test run that does not",
      [...five, at("verify")],
      ["E done 2 0", "H skipped 0 3", "I done 3 0", "V pending 1 0"],
      "V",
    ],
    [
      "a proof already at the fourth call",
      [...two, at("implement"), at("verify", true)],
      ["E done 2 0", "H skipped 0 2", "I done 1 0", "V done 1 0"],
      null,
    ],
  ])("after %s", (_name, standings, expected, active) => {
    const items = walk(plan, ...standings);
    expect(counts(items)).toEqual(expected);
    expect(activeItem(items)?.id ?? null).toBe(active);
  });

  it("leaves every count as it is when nothing is proposed", () => {
    const silent: Standing = { phase: "implement", proposal: null, proven: false };
    const before = walk(plan, ...two, at("implement"));
    expect(counts(walk(before, silent, silent))).toEqual(counts(before));
    expect(counts(walk(before, silent, at("implement"), silent, at("implement")))).toContain(
      "H skipped 0 3",
    );
  });

  it("starts counting anew when the phase falls back", () => {
    const items = walk(plan, ...two, at("implement"), at("implement"), at("explore"));
    expect(counts(items)).toContain("H pending 0 0");
  });

  it("says why it closed what", () => {
    const standing = at("verify", true);
    const { log } = sweep(credit(walk(plan, ...two, at("implement")), standing), standing, rules);
    expect(
      log.map((event) =>
        event.type === "subtask" ? `${event.id} ${event.change}: ${event.reason}` : "",
      ),
    ).toEqual([
      "I done: moved on to verify",
      "V done: verification succeeded",
      "H skipped: the plan is fulfilled",
    ]);
  });

  it("completes an earlier verification item with the proof, without closing the others", () => {
    const queue = [
      subTask({ id: "V1", phase: "verify" }),
      subTask({ id: "I", phase: "implement", status: "failed" }),
    ];
    const stack = [subTask({ id: "r1.1", phase: "explore", recovery: 1 })];
    const items = walk({ queue, stack }, at("verify", true));
    expect(counts(items)).toEqual(["V1 done 1 0", "I failed 0 0"]);
    expect(items.stack).toHaveLength(1);
  });
});

const recovery = (...phases: Phase[]): readonly SubTask[] =>
  phases.map((phase, index) => subTask({ id: `r1.${index + 1}`, phase, recovery: 1 })).reverse();

describe("recovery items", () => {
  const failed: Items = {
    queue: [
      subTask({ id: "I", phase: "implement", status: "failed", evidence: 4, failReason: "why" }),
      subTask({ id: "V", phase: "verify", terminal: true }),
    ],
    stack: [],
  };

  it("are worked on from the top alone, where the raw proposal is evidence too", () => {
    const items = { ...failed, stack: recovery("hypothesize", "implement") };
    const held: Standing = { phase: "implement", proposal: "hypothesize", proven: false };
    const { stack } = credit(items, held);
    expect(stack.map(({ id, evidence }) => `${id} ${evidence}`)).toEqual(["r1.2 0", "r1.1 1"]);
  });

  it("open the failed plan item again once the last is closed", () => {
    const items = { ...failed, stack: recovery("explore", "hypothesize") };
    const moved = walk(items, at("explore"), at("hypothesize"), at("hypothesize"));
    expect(moved.stack.map(({ id }) => id)).toEqual(["r1.2"]);
    const closed = walk(moved, at("implement"));
    expect(closed.stack).toEqual([]);
    expect(counts(closed)).toEqual(["I pending 0 0", "V pending 0 0"]);
    expect(closed.queue[0]?.failReason).toBeNull();
  });

  it("close after three calls when the next one leads down again", () => {
    const items = { ...failed, stack: recovery("implement", "hypothesize", "implement") };
    const two = walk(items, at("implement"), at("implement"));
    expect(two.stack.map(({ id }) => id)).toEqual(["r1.3", "r1.2", "r1.1"]);
    expect(walk(two, at("implement")).stack.map(({ id }) => id)).toEqual(["r1.3", "r1.2"]);
  });

  it("that restore files close when a revert has touched all of them", () => {
    const [third, second, first] = recovery("implement", "hypothesize", "implement");
    if (!(first && second && third)) throw new Error("three items");
    const stack = [third, second, { ...first, files: ["a.py", "b.py"] }];
    const one = creditRestored({ ...failed, stack }, ["a.py", "c.py"]);
    expect(sweep(one, at("explore"), rules).stack).toHaveLength(3);
    const both = creditRestored(one, ["b.py"]);
    expect(sweep(both, at("explore"), rules).stack.map(({ id }) => id)).toEqual(["r1.3", "r1.2"]);
  });

  it("go down with the plan when verification is proven", () => {
    const items = { ...failed, stack: recovery("explore", "hypothesize") };
    const proven = walk(items, at("verify", true));
    expect(counts(proven)).toEqual(["I skipped 4 0", "V done 1 0"]);
    expect(proven.stack).toEqual([]);
  });
});

describe("failing the active item", () => {
  it("marks a plan item and keeps it in its place", () => {
    const { queue, failed } = failActive(plan, "why");
    expect(counts({ queue, stack: [] })[0]).toBe("E failed 0 0");
    expect(failed).toMatchObject({ id: "E", status: "failed", failReason: "why" });
  });

  it("takes a recovery item off the stack", () => {
    const { stack, failed } = failActive(
      { ...plan, stack: recovery("explore", "implement") },
      "why",
    );
    expect(stack.map(({ id }) => id)).toEqual(["r1.2"]);
    expect(failed?.id).toBe("r1.1");
  });

  it("fails nothing when nothing is active", () => {
    expect(failActive({ queue: [], stack: [] }, "why")).toEqual({
      queue: [],
      stack: [],
      failed: null,
    });
  });
});
