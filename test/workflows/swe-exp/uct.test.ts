import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UctConfig } from "../../../src/domain/config/swe-exp-uct.ts";
import type { SearchNode } from "../../../src/domain/search-tree.ts";
import { scorer, uctScore } from "../../../src/workflows/swe-exp/uct.ts";
import { grown, nodeOf, plain, type Sprout } from "./grown.ts";

const published = UctConfig.parse({});
const withoutDiversity = UctConfig.parse({ diversityWeight: 0 });
/** What the published code has where it differs from the paper's table. */
const code = UctConfig.parse({
  diversityWeight: 0,
  depthBonus: 0,
  high: 50,
  low: 0,
  highLeafBonus: 50,
});

const edit = { tool: "StringReplace", input: {} };
const view = { tool: "ViewCode", input: {} };
const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

/** A childless node at depth 3 with reward 60 and four visits, whose parent has nine. */
const lonely = (() => {
  const tree = grown([{ parent: 0 }, { parent: 1, value: 10 }, { parent: 2, value: 60 }]);
  return tree.map((node): SearchNode => {
    if (node.id === 2) return { ...node, visits: 9 };
    return node.id === 3 ? { ...node, visits: 4 } : node;
  });
})();

describe("uctScore", () => {
  it.each([
    ["the paper's table", withoutDiversity, 79.355511],
    ["the published code", code, 109.355511],
  ])("of a leaf is what %s makes it", (_, config, expected) => {
    expect(uctScore(nodeOf(lonely, 3), scorer(lonely, config))).toBeCloseTo(expected, 6);
  });

  it("has these terms for it", () => {
    const { exploration, depthPenalty, highLeaf } = scorer(lonely, published)(nodeOf(lonely, 3));
    expect(exploration).toBeCloseTo(0.741152, 6);
    expect(depthPenalty).toBeCloseTo(-1.385641, 6);
    expect(highLeaf).toBe(20);
  });

  it("gives the root a bonus for depth and nothing for exploration", () => {
    const tree = grown([{ parent: 0, value: 40 }]);
    const terms = scorer(tree, published)(nodeOf(tree, 0));
    expect(terms.depthBonus).toBeCloseTo(445.1082, 4);
    expect(terms).toMatchObject({ reward: 100, exploration: 0, highChild: 0 });
    expect(terms.depthPenalty).toBeCloseTo(0);
  });

  it("puts a node without visits before all others", () => {
    const tree = grown([{ parent: 0 }, { parent: 0, value: 100 }]);
    expect(uctScore(nodeOf(tree, 1), scorer(tree, published))).toBe(Number.POSITIVE_INFINITY);
  });

  it.each<[string, readonly Sprout[], number, object]>([
    [
      "duplicates and repeated tools",
      [
        { parent: 0, value: 30 },
        { parent: 1, action: view, value: 20 },
        { parent: 1, action: view, value: 20 },
        { parent: 1, action: view, duplicate: true },
      ],
      1,
      { duplicateChildren: -25, duplicateActions: -200 },
    ],
    [
      "one low edit below a high node",
      [
        { parent: 0, value: 80 },
        { parent: 1, action: edit, value: -20 },
      ],
      1,
      { badChildren: 500, highLeaf: 0 },
    ],
    [
      "a low child that is no edit",
      [
        { parent: 0, value: 80 },
        { parent: 1, action: view, value: -20 },
      ],
      1,
      { badChildren: 0 },
    ],
    [
      "two judged children",
      [
        { parent: 0, value: 80 },
        { parent: 1, action: edit, value: -20 },
        { parent: 1, action: edit, value: -30 },
      ],
      1,
      { badChildren: 0, duplicateActions: -50 },
    ],
    [
      "a very high child",
      [
        { parent: 0, value: 60 },
        { parent: 1, value: 75 },
      ],
      1,
      { highChild: -5 },
    ],
    ["a low leaf below a high parent", [{ parent: 0, value: 20 }], 1, { highParent: 35 }],
    [
      "a low leaf below one that was never judged",
      [{ parent: 0 }, { parent: 1, value: -10 }],
      2,
      { highParent: 65 },
    ],
    [
      "a low leaf below a middling parent",
      [
        { parent: 0, value: 55 },
        { parent: 1, value: 20 },
      ],
      2,
      { highParent: 0 },
    ],
    [
      "a finish of full reward below a change",
      [
        { parent: 0, value: 60, diff },
        { parent: 1, value: 60, diff },
        { parent: 2, value: 100, diff, finished: true, terminal: true },
      ],
      1,
      { finished: -50 },
    ],
    [
      "a finish of less",
      [
        { parent: 0, value: 60, diff },
        { parent: 1, value: 99, diff, finished: true, terminal: true },
      ],
      1,
      { finished: -0 },
    ],
    [
      "a failure that can be mended",
      [
        { parent: 0, value: 10, expectsCorrection: true },
        { parent: 1, value: 10 },
      ],
      1,
      { correction: 25 },
    ],
    [
      "a failure after a failure",
      [
        { parent: 0, value: 10, expectsCorrection: true },
        { parent: 1, value: 10, expectsCorrection: true },
      ],
      2,
      { correction: 0 },
    ],
    ["no code seen", [{ parent: 0, value: 10 }], 1, { diversity: 0 }],
  ])("knows %s", (_, sprouts, id, expected) => {
    const tree = grown(sprouts);
    expect(scorer(tree, published)(nodeOf(tree, id))).toMatchObject(expected);
  });

  it("gives all of the diversity while no other node was expanded, and less to what is alike", () => {
    const seen = [{ file: "a.py", start: 1, end: 10 }];
    const alone = grown([{ parent: 0, value: 10, seen }]).map((node) =>
      node.id === 0 ? { ...node, children: [] } : node,
    );
    expect(scorer(alone, published)(nodeOf(alone, 1)).diversity).toBe(100);
    const tree = grown([
      { parent: 0, value: 10, seen },
      { parent: 1, value: 10 },
      { parent: 0, value: 10, seen: [{ file: "a.py", start: 6, end: 15 }] },
    ]);
    // The root has seen nothing: 0 alike. Node 1: files 1, lines 5 of 15, both unchanged.
    const alike = 0.4 + 0.2 * (5 / 15) + 0.4;
    expect(scorer(tree, published)(nodeOf(tree, 3)).diversity).toBeCloseTo(
      100 * (1 - alike / 2),
      6,
    );
  });

  it("is the sum of its terms, a number for every visited node", () => {
    const sprout = fc.record({
      parent: fc.nat(8),
      value: fc.option(fc.integer({ min: -100, max: 100 }), { nil: undefined }),
      action: fc.constantFrom(edit, view, null),
      duplicate: fc.boolean(),
      expectsCorrection: fc.boolean(),
      diff: fc.constantFrom("", diff),
    });
    fc.assert(
      fc.property(fc.array(sprout, { maxLength: 12 }), (sprouts) => {
        const tree = grown(
          sprouts.map(({ value, ...one }, index) => ({
            ...plain,
            ...one,
            parent: Math.min(one.parent, index),
            ...(value === undefined ? {} : { value }),
          })),
        );
        for (const node of tree.filter(({ visits }) => visits > 0)) {
          const sum = Object.values(scorer(tree, published)(node)).reduce((a, b) => a + b, 0);
          expect(Number.isFinite(sum)).toBe(true);
          expect(uctScore(node, scorer(tree, published))).toBeCloseTo(sum, 9);
        }
      }),
    );
  });
});
