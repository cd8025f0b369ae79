import { describe, expect, it } from "vitest";
import { SweExpSearchConfig } from "../../../src/domain/config/swe-exp-search.ts";
import {
  bestByMean,
  candidates,
  searchEnd,
  selectNode,
} from "../../../src/workflows/swe-exp/select.ts";
import { grown, type Sprout } from "./grown.ts";

const rules = SweExpSearchConfig.parse({});
const diff = "diff --git a/x b/x\n";
const finish = { finished: true, terminal: true, diff, value: 80 };
const three = (parent: number, more: Partial<Sprout> = {}): readonly Sprout[] =>
  [1, 2, 3].map(() => ({ parent, value: 10, ...more }));

describe("selectNode", () => {
  it("begins at the root, and stays there until it has all its children", () => {
    expect(selectNode(grown([]), rules)?.id).toBe(0);
    expect(selectNode(grown(three(0).slice(1)), rules)?.id).toBe(0);
    expect(selectNode(grown(three(0)), rules)?.id).not.toBe(0);
  });

  it.each<[string, readonly Sprout[], number | null]>([
    ["a node that was never judged", [...three(0).slice(1), { parent: 0 }], 3],
    ["the older of equal ones", three(0), 1],
    [
      "no duplicate",
      [...three(0, { terminal: true }).slice(1), { parent: 0, duplicate: true }],
      null,
    ],
    ["no terminal node", three(0, { terminal: true }), null],
  ])("goes on from %s", (_, sprouts, id) => {
    expect(selectNode(grown(sprouts), rules)?.id ?? null).toBe(id);
  });
});

describe("searchEnd", () => {
  it.each<[string, readonly Sprout[], object, string | null]>([
    ["goes on", three(0), {}, null],
    ["at so many nodes", three(0), { maxNodes: 4 }, "the tree has 4 nodes"],
    [
      "at finishes below two nodes",
      [
        { parent: 0, value: 1 },
        { parent: 0, ...finish },
        { parent: 1, ...finish },
      ],
      {},
      "2 paths came to a finish",
    ],
    [
      "not at two finishes below one node",
      [
        { parent: 0, value: 1 },
        { parent: 0, ...finish },
        { parent: 0, ...finish },
      ],
      {},
      null,
    ],
    ["where nothing can be expanded", three(0, { terminal: true }), {}, "no node can be expanded"],
  ])("%s", (_, sprouts, more, end) => {
    expect(searchEnd(grown(sprouts), { ...rules, ...more })).toBe(end);
  });
});

describe("candidates", () => {
  const ids = (sprouts: readonly Sprout[]) => candidates(grown(sprouts)).map(({ id }) => id);
  it.each<[string, readonly Sprout[], readonly number[]]>([
    [
      "those that finished with a change",
      [
        { parent: 0, ...finish },
        { parent: 0, diff },
      ],
      [1],
    ],
    [
      "leaves with a change before a finish without one",
      [
        { parent: 0, diff },
        { parent: 0, finished: true },
      ],
      [1],
    ],
    [
      "a finish before leaves where nothing was changed",
      [{ parent: 0 }, { parent: 0, finished: true }],
      [2],
    ],
    ["leaves where none finished", [{ parent: 0 }, { parent: 1 }, { parent: 0 }], [2, 3]],
    [
      "no duplicates",
      [
        { parent: 0, ...finish },
        { parent: 0, ...finish, duplicate: true },
      ],
      [1],
    ],
    ["the root alone where there is nothing else", [], [0]],
  ])("are %s", (_, sprouts, expected) => {
    expect(ids(sprouts)).toEqual(expected);
  });

  it("are told apart by the mean reward of their paths", () => {
    const tree = grown([
      { parent: 0, value: 90 },
      { parent: 1, diff, value: 10 },
      { parent: 0, value: 40 },
      { parent: 3, diff, value: 80 },
    ]);
    // Node 2: (220/4 + 100/2 + 10/1) / 3; node 4: (220/4 + 120/2 + 80/1) / 3.
    expect(bestByMean(tree, candidates(tree))?.id).toBe(4);
    expect(bestByMean(tree, [])).toBeNull();
  });
});
