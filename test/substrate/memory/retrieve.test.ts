import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { taskAnchor } from "../../../src/substrate/memory/anchor.ts";
import type { Memory } from "../../../src/substrate/memory/memory.ts";
import { basePolicy } from "../../../src/substrate/memory/policy.ts";
import { retrieve } from "../../../src/substrate/memory/retrieve.ts";
import { tokensOf } from "../../../src/substrate/memory/text.ts";
import { config, editing, reading, remembering } from "./calls.ts";

const policy = basePolicy(config);
const anchor = { words: ["flush", "wrapper"], files: ["core/base.py"] };
const memory = remembering([
  reading("core/base.py", "def flush(wrapper): pass"),
  reading("docs/other.md", "nothing of interest"),
  { output: "", command: "" },
  reading("core/migrate.py", "from core.base import flush"),
  { command: "true", output: "one" },
  { command: "true", output: "two" },
  { command: "true", output: "three" },
]);

describe("retrieve", () => {
  it("keeps the task and the last six nodes, and recalls what is relevant of the others", () => {
    const { core, recalled } = retrieve(memory, anchor, policy, config);
    expect(core).toEqual([1, 10, 11, 12, 13, 14, 15]);
    expect(recalled.slice(0, 2)).toEqual([3, 9]);
    expect(recalled).not.toContain(7);
  });

  it("counts core, anchor and recalled nodes against the budget", () => {
    const { core, recalled, tokens } = retrieve(memory, anchor, policy, config);
    const size = (id: number) => memory.nodes.find((node) => node.id === id)?.tokens ?? 0;
    const expected = [...core, ...recalled].reduce((sum, id) => sum + size(id), 0);
    expect(tokens).toBe(expected + tokensOf("flush wrapper"));
  });

  it("recalls a node that its command's file relates, though it shares no word", () => {
    const { recalled } = retrieve(memory, { words: [], files: ["core/base.py"] }, policy, config);
    expect(recalled).toEqual(expect.arrayContaining([3, 9]));
  });

  it("recalls nothing for an anchor that nothing matches", () => {
    const nothing = { words: ["absent"], files: ["absent.py"] };
    expect(retrieve(memory, nothing, policy, config).recalled).toEqual([]);
  });

  it.each([
    ["room for all", 20, [1, 10, 11, 12, 13, 14, 15]],
    ["the tail does not fit", 12, [1, 11, 12, 13, 14, 15]],
    ["only task and anchor fit", 6, [1]],
    ["not even they do", 1, [1]],
  ])("drops the oldest of the tail where the core exceeds the budget: %s", (_, budget, core) => {
    const found = retrieve(memory, anchor, { ...policy, budget }, config);
    expect(found.core).toEqual(core);
  });

  it("recalls nothing beyond the budget", () => {
    expect(retrieve(memory, anchor, { ...policy, budget: 1 }, config).recalled).toEqual([]);
  });

  it("looks at the most relevant candidates only", () => {
    const few = { ...config, candidates: 1 };
    expect(retrieve(memory, anchor, policy, few).recalled).toHaveLength(1);
  });

  const word = fc.constantFrom("flush", "wrapper", "migrate", "stream", "x", "文字", "constructor");
  const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(" "));
  const file = fc.constantFrom("a/x.py", "a/y.py", "b.py", "__proto__.py");
  const call = fc.oneof(
    fc.tuple(file, text).map(([name, output]) => reading(name, output)),
    fc.tuple(file, text).map(([name, output]) => editing(name, output)),
    text.map((output) => ({ output })),
  );

  it("stays within the budget, recalls old nodes once, and the same from JSON", () => {
    fc.assert(
      fc.property(
        fc.array(call, { maxLength: 12 }),
        fc.integer({ min: 1, max: 400 }),
        (calls, budget) => {
          const grown = remembering(calls);
          const asked = taskAnchor(grown, 200, { words: 24, files: 2 });
          const tight = { ...policy, budget };
          const { core, recalled, tokens } = retrieve(grown, asked, tight, config);
          const copy: Memory = JSON.parse(JSON.stringify(grown));
          expect(retrieve(copy, asked, tight, config)).toEqual({ core, recalled, tokens });
          const fixed = (grown.nodes[0]?.tokens ?? 0) + tokensOf(asked.words.join(" "));
          expect(tokens).toBeLessThanOrEqual(Math.max(budget, fixed));
          expect(new Set([...core, ...recalled]).size).toBe(core.length + recalled.length);
          const ids = grown.nodes.map(({ id }) => id);
          expect(ids).toEqual(expect.arrayContaining([...core, ...recalled]));
        },
      ),
      { numRuns: 60 },
    );
  });
});
