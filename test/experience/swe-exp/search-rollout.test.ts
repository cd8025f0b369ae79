import { describe, expect, it } from "vitest";
import type { SearchState } from "../../../src/domain/search-tree.ts";
import { rolloutOf } from "../../../src/experience/swe-exp/search-rollout.ts";
import { grown } from "../../workflows/swe-exp/grown.ts";

const fix = "diff --git a/x b/x\n";
const act = (name: string) => ({ tool: "ViewCode", input: { name } });
const end = { diff: fix, finished: true, terminal: true, value: 90 };

/** Two ways to the same change, one of them shorter, and one that never finished. */
const tree = grown([
  { parent: 0, action: act("a"), value: 50 },
  { parent: 1, action: act("b"), diff: fix, value: 60, expectsCorrection: true },
  { parent: 2, action: act("c"), ...end },
  { parent: 0, action: act("d"), diff: fix, value: 60 },
  { parent: 4, action: act("e"), ...end },
  { parent: 1, action: act("f"), value: 10 },
  { parent: 6, action: act("g"), value: 10 },
  { parent: 7, action: act("h"), value: 10 },
]);
const choice = { type: "choice", step: 9, node: 3, by: "debate", reason: "" } as const;

const names = (search: SearchState, resolved: boolean) =>
  rolloutOf(search, resolved).map(({ command }) => /"name":"(\w)"/.exec(command)?.[1]);

describe("what is learned from a search", () => {
  it("is the shortest path to the change that resolved the issue", () => {
    expect(names({ tree, choice }, true)).toEqual(["d", "e"]);
  });

  it("is the longest path to a finish where it did not", () => {
    expect(names({ tree, choice }, false)).toEqual(["a", "b", "c"]);
    expect(rolloutOf({ tree, choice }, false).map(({ exitCode }) => exitCode)).toEqual([0, 1, 0]);
  });

  it("is the longest path of all where none finished, and nothing of an empty tree", () => {
    const unfinished = tree.map((node) => ({ ...node, finished: false }));
    expect(names({ tree: unfinished, choice: null }, false)).toEqual(["a", "f", "g", "h"]);
    expect(rolloutOf({ tree: grown([]), choice: null }, false)).toEqual([]);
  });
});
