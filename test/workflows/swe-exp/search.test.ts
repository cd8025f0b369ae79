import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runEpisode } from "../../../src/agent/episode.ts";
import type { EpisodeEvent, RecordedEvent } from "../../../src/domain/episode.ts";
import type { SearchTree } from "../../../src/domain/search-tree.ts";
import { growTree, plant } from "../../../src/domain/search-tree.ts";
import { solveBy } from "../../../src/workflows/solve-by.ts";
import { sweExpSearch } from "../../../src/workflows/swe-exp/search.ts";
import { testEpisode } from "../../episode-parts.ts";
import { type Brain, files, issue, solver, thinking } from "./brain.ts";

const config = (sweExp: object, agent: object = {}) => ({
  agent,
  workflow: { name: "swe-exp", sweExp },
});

const solve = solveBy(sweExpSearch);

async function search(brain: Brain, sweExp: object = {}, agent: object = {}) {
  const model = thinking(brain);
  const given = { issue, config: config(sweExp, agent) };
  const { parts, events, folder } = await testEpisode(model, files, given);
  const end = await runEpisode({ ...parts, solve });
  return { end, events, folder, model, patch: Buffer.from(end.patch).toString() };
}

function treeOf(events: readonly EpisodeEvent[]): SearchTree {
  return events.reduce((tree, event) => {
    const { type } = event;
    return type === "node" || type === "reward" || type === "choice" ? growTree(tree, event) : tree;
  }, plant(100));
}

/** The tree as one line a node. */
function drawing(tree: SearchTree, id = 0): string {
  const node = tree[id];
  if (node === undefined) return "";
  const { depth, action, reward, finished, duplicate, error, visits } = node;
  const marks = [finished && "finished", duplicate && "duplicate", error].filter(Boolean).join(" ");
  const what = `${id} ${action?.tool ?? "-"} ${reward?.value ?? "-"}/${visits} ${marks}`.trimEnd();
  return [
    `${"  ".repeat(depth)}${what}`,
    ...node.children.map((child) => drawing(tree, child)),
  ].join("\n");
}

const recorded = (events: readonly EpisodeEvent[]): RecordedEvent[] =>
  events.map((event, seq) => ({ ...event, run: "20260101-000000-test", seq, at: seq }));

describe("the search of SWE-Exp", () => {
  it("tries ways from the root, follows the best, and hands in what was chosen", async () => {
    const { end, events, patch, model } = await search(solver);
    expect(end.status).toBe("submitted");
    expect(drawing(treeOf(events))).toMatchInlineSnapshot(`
      "0 - 100/6
        1 FindClass 60/3
          4 StringReplace 60/2
            7 Finish 90/1 finished
          5 StringReplace -/0 duplicate
        2 ViewCode 60/1
        3 StringReplace 60/2
          6 Finish 90/1 finished"
    `);
    expect(events.find(({ type }) => type === "choice")).toMatchInlineSnapshot(`
      {
        "by": "debate",
        "node": 6,
        "reason": "the smaller change",
        "step": 25,
        "type": "choice",
      }
    `);
    expect(patch).toMatchInlineSnapshot(`
      "diff --git a/lib/shapes.js b/lib/shapes.js
      index 0dddfb621e06d29426a15a3141755a9172789a51..96c83dd4a1518f059ca3f6d3f632b1f5402bcbb5 100644
      --- a/lib/shapes.js
      +++ b/lib/shapes.js
      @@ -4,7 +4,7 @@ class Square {
         }
       
         area() {
      -    return this.side * 2;
      +    return this.side * this.side;
         }
       }
       
      "
    `);
    const heat = new Map(model.requests.map(({ purpose, temperature }) => [purpose, temperature]));
    expect(Object.fromEntries(heat)).toEqual({ instruct: 0.7, assist: 0.7, value: 0.2, select: 1 });
  });

  it("goes on from any node as if it had never been killed, and pays for nothing twice", async () => {
    const whole = await search(solver);
    const types = whole.events.map(({ type }) => type);
    const [begun] = whole.events;
    if (begun?.type !== "begin") throw new Error("the run did not begin");
    const last = types.indexOf("patch") - 1;
    const cuts = fc.sample(fc.integer({ min: 1, max: last }), { numRuns: 4, seed: 7 });
    for (const cut of cuts.filter((one) => types[one - 1] !== "question")) {
      const past = recorded(whole.events.slice(0, cut));
      const paid = past.filter(({ type }) => type === "reply").length;
      const model = thinking(solver);
      const { parts, events } = await testEpisode(model, files, { issue, config: config({}) });
      const resumed = { base: begun.base, rebuilt: true, saved: null, limits: {} };
      const end = await runEpisode({ ...parts, past, resumed, solve });
      expect([cut, end.status, Buffer.from(end.patch).toString()]).toEqual([
        cut,
        "submitted",
        whole.patch,
      ]);
      expect(model.requests).toHaveLength(whole.model.requests.length - paid);
      const later = [...past, ...events.filter(({ type }) => type !== "resume")];
      expect(later.map(({ type }) => type)).toEqual(types);
      expect(drawing(treeOf(later))).toBe(drawing(treeOf(whole.events)));
    }
  });

  it("works as one agent, too", async () => {
    const alone: Brain = {
      ...solver,
      assist: (prompt) => {
        const isDone = prompt.includes("The changes so far:");
        const input = {
          path: "lib/shapes.js",
          old_str: "this.side * 2",
          new_str: "this.side ** 2",
        };
        return isDone ? { tool: "Finish", input: {} } : { tool: "StringReplace", input };
      },
    };
    const { end, model, patch } = await search(alone, { dualAgent: false, maxFinished: 1 });
    expect(end.status).toBe("submitted");
    expect(patch).toContain("+    return this.side ** 2;");
    expect(model.requests.some(({ purpose }) => purpose === "instruct")).toBe(false);
  });

  it("ends at a limit with the best change so far", async () => {
    const { end, patch } = await search(solver, {}, { stepLimit: 9 });
    expect([end.status, end.reason]).toEqual(["step_limit", "9 of 9 steps used"]);
    expect(patch).toContain("+    return this.side * this.side;");
  });

  it("ends without a patch where nothing was changed", async () => {
    const idle: Brain = { ...solver, instruct: () => ({ instructions: "stop", type: "finish" }) };
    const { end, events } = await search(idle, { maxNodes: 4 });
    expect(end.status).toBe("no_patch");
    expect(drawing(treeOf(events))).toMatchInlineSnapshot(`
      "0 - 100/1
        1 Finish 90/1 finished
        2 Finish -/0 finished duplicate
        3 Finish -/0 finished duplicate"
    `);
  });

  it("lets the best mean reward decide where no debate comes to a choice", async () => {
    const mute: Brain = { ...solver, select: () => ({ choice: 99, reason: "none of them" }) };
    const { events } = await search(mute, { tries: 1, debaters: 2, rounds: 1 });
    const choice = events.find(({ type }) => type === "choice");
    expect(choice).toMatchObject({ by: "mean reward", reason: "the debate came to nothing" });
  });
});
