import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { taskAnchor } from "../../../src/substrate/memory/anchor.ts";
import { explain } from "../../../src/substrate/memory/explain.ts";
import { basePolicy } from "../../../src/substrate/memory/policy.ts";
import { retrieve, search } from "../../../src/substrate/memory/retrieve.ts";
import { config, editing, reading, remembering } from "./calls.ts";

const policy = { ...basePolicy(config), wc: 0.5, wg: 0.5, lambda: 0.7 };

describe("explain", () => {
  it("names the parts of each score", () => {
    const memory = remembering([
      reading("core/base.py", "def flush(wrapper): pass"),
      reading("docs/other.md", "nothing of interest"),
      ...new Array(3).fill({ command: "true", output: "one" }),
    ]);
    const anchor = { words: ["flush"], files: ["core/base.py"] };
    const { recalled, core, candidates } = explain(memory, anchor, policy, config);
    expect(core).toEqual([1, 6, 7, 8, 9, 10, 11]);
    expect(candidates).toBe(4);
    const [first, second] = recalled;
    expect(first).toMatchObject({ id: 3, rank: 1, lexical: 1, graph: 1, relevance: 1 });
    expect(first?.redundancy).toBe(0);
    expect(first?.gain).toBeCloseTo(0.7, 12);
    // Its file stands next to the anchor's in the graph, two steps away. Both calls came before it.
    expect(second).toMatchObject({ id: 5, rank: 4, lexical: 0, graph: 0.25, relevance: 0.125 });
  });

  const text = fc
    .array(fc.constantFrom("flush", "wrapper", "migrate", "stream"), { maxLength: 30 })
    .map((words) => words.join(" "));
  const file = fc.constantFrom("a/x.py", "a/y.py", "b.py");
  const call = fc.oneof(
    fc.tuple(file, text).map(([name, output]) => reading(name, output)),
    fc.tuple(file, text).map(([name, output]) => editing(name, output)),
  );

  it("recalls what retrieve recalls, and its gains add up to the search's", () => {
    fc.assert(
      fc.property(
        fc.array(call, { maxLength: 14 }),
        fc.integer({ min: 1, max: 600 }),
        (calls, budget) => {
          const memory = remembering(calls);
          const asked = taskAnchor(memory, 200, { words: 24, files: 2 });
          const tight = { ...policy, budget };
          const { core, recalled, tokens } = explain(memory, asked, tight, config);
          const ids = recalled.map(({ id }) => id);
          expect(retrieve(memory, asked, tight, config)).toEqual({ core, recalled: ids, tokens });
          const { found } = search(memory, asked, tight, config);
          const byRank = recalled.toSorted((a, b) => a.rank - b.rank);
          expect(byRank.map(({ id }) => id)).toEqual(found.order);
          const sum = recalled.reduce((total, { gain }) => total + gain, 0);
          expect(sum).toBeCloseTo(found.gain, 9);
        },
      ),
      { numRuns: 60 },
    );
  });
});
