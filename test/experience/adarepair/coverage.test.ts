import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coverPool } from "../../../src/experience/adarepair/coverage.ts";

interface Item {
  readonly id: string;
  readonly admitted: boolean;
  readonly content: string;
}

/** Items `prefix1`, …; of them the first `admitted` are; the last `copies` tell what the first does. */
function items(prefix: string, count: number, admitted: number, copies = 0): readonly Item[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${prefix}${at + 1}`,
    admitted: at < admitted,
    content: at < admitted && at >= admitted - copies ? `${prefix}1` : `${prefix}${at + 1}`,
  }));
}

interface Bank {
  readonly same: readonly Item[];
  readonly cross?: readonly Item[];
  readonly typed?: readonly Item[];
}

function pool({ same, cross = [], typed = [] }: Bank) {
  const loaded: string[] = [];
  const load = (name: string, all: readonly Item[]) => (most: number) => {
    loaded.push(name);
    return all.slice(0, most);
  };
  const found = coverPool<Item>(
    { same, cross: load("cross", cross), typed: load("typed", typed) },
    {
      kSame: 10,
      kCross: 50,
      isAdmitted: ({ admitted }) => admitted,
      idOf: ({ id }) => id,
      contentOf: ({ content }) => content,
    },
  );
  return { ...found, loaded, size: found.candidates.length };
}

/** Of a cross bank of 60 the cap cuts ten; five are admitted below it. */
const cut = items("c", 60, 0).map((item, at) => ({ ...item, admitted: at < 5 || at >= 50 }));
/** Eight of the repair type: four that the cross step found, four that its cap had cut. */
const typed = [...cut.slice(1, 5), ...cut.slice(50, 54)];
/** As before, where two tell the same. */
const typedTwice = typed.map((item, at) => (at === 7 ? { ...item, content: "c51" } : item));

describe("coverPool", () => {
  it.each([
    ["high coverage", { same: items("s", 14, 12, 1), cross: items("c", 60, 60) }, 11, "same", []],
    [
      "other repositories",
      { same: items("s", 9, 7), cross: items("c", 60, 38, 4) },
      41,
      "cross",
      ["cross"],
    ],
    [
      "sparse",
      { same: items("s", 1, 1), cross: cut, typed: typedTwice },
      9,
      "typed",
      ["cross", "typed"],
    ],
    [
      "sparse, nothing cut",
      { same: items("s", 1, 1), cross: cut.slice(0, 5), typed: cut.slice(1, 5) },
      6,
      "typed",
      ["cross", "typed"],
    ],
    ["nothing at all", { same: [] }, 0, "typed", ["cross", "typed"]],
  ])("%s", (_, bank, size, reach, loaded) => {
    expect(pool(bank)).toMatchObject({ size, reach, loaded });
  });

  it("counts the admitted of the own repository", () => {
    expect(pool({ same: items("s", 9, 7) }).sameRepository).toBe(7);
  });

  it("holds admitted memories alone, each content once, the own repository's first", () => {
    const some = fc.array(
      fc.record({
        id: fc.integer({ max: 30, min: 0 }).map(String),
        admitted: fc.boolean(),
        content: fc.integer({ max: 20, min: 0 }).map(String),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(some, some, some, (same, cross, kind) => {
        const { candidates } = pool({ same, cross, typed: kind });
        expect(candidates.every(({ admitted }) => admitted)).toBe(true);
        const contents = candidates.map(({ content }) => content);
        expect(new Set(contents).size).toBe(contents.length);
      }),
    );
  });
});
