import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meanTrajectoryReward } from "../../src/domain/search-tree.ts";
import { grown, nodeOf } from "../workflows/swe-exp/grown.ts";

const counts = (tree: ReturnType<typeof grown>) =>
  tree.map(({ visits, value }) => ({ visits, value }));

describe("a search tree", () => {
  it("counts a reward at its node and at all above it", () => {
    const first = grown([{ parent: 0, value: 40 }]);
    expect(counts(first)).toEqual([
      { visits: 1, value: 40 },
      { visits: 1, value: 40 },
    ]);
    const both = grown([
      { parent: 0, value: 40 },
      { parent: 1, value: 80 },
    ]);
    expect(counts(both)).toEqual([
      { visits: 2, value: 120 },
      { visits: 2, value: 120 },
      { visits: 1, value: 80 },
    ]);
    expect(meanTrajectoryReward(both, 2)).toBeCloseTo(66.667, 3);
    expect(nodeOf(both, 0).reward?.value).toBe(100);
  });

  it("counts 0 for nodes of a path that were never visited", () => {
    const tree = grown([{ parent: 0 }, { parent: 1 }]);
    expect(meanTrajectoryReward(tree, 2)).toBe(0);
  });

  it("takes no node that fits nowhere", () => {
    expect(grown([{ parent: 7 }])).toHaveLength(1);
  });

  it("holds at its root as many visits and as much value as there were rewards", () => {
    const sprout = fc.record({ parent: fc.nat(9), value: fc.integer({ min: -100, max: 100 }) });
    fc.assert(
      fc.property(fc.array(sprout, { maxLength: 10 }), (sprouts) => {
        const fitting = sprouts.map((one, index) => ({ ...one, parent: one.parent % (index + 1) }));
        const tree = grown(fitting);
        const sum = sprouts.reduce((total, { value }) => total + value, 0);
        expect(tree[0]).toMatchObject({ visits: sprouts.length, value: sum });
        for (const { id, parent, children, depth } of tree.slice(1)) {
          expect(nodeOf(tree, parent ?? -1).children).toContain(id);
          expect(children.every((child) => nodeOf(tree, child).depth === depth + 1)).toBe(true);
        }
      }),
    );
  });
});
