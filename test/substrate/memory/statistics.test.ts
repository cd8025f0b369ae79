import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryStats } from "../../../src/domain/plan.ts";
import {
  afterBacktrack,
  afterCheck,
  afterIntegrity,
  type CountedCall,
  count,
  emptyStats,
} from "../../../src/substrate/memory/statistics.ts";

const idle: CountedCall = {
  turn: 1,
  action: null,
  exitCode: 0,
  touched: [],
  edited: [],
  reverted: [],
  isRevert: false,
  isSourceEdit: false,
  isRead: false,
  isLook: false,
  isSubmit: false,
  isSearch: false,
};
const read = (file: string): Partial<CountedCall> => ({
  isRead: true,
  isLook: true,
  touched: [file],
});
const edit = (file: string): Partial<CountedCall> => ({
  isSourceEdit: true,
  edited: [file],
  touched: [file],
});
const revert = (...files: string[]): Partial<CountedCall> => ({ isRevert: true, reverted: files });

function fold(calls: readonly Partial<CountedCall>[]): MemoryStats {
  return calls.reduce<MemoryStats>(
    (stats, call, index) => count(stats, { ...idle, turn: index + 1, ...call }),
    emptyStats,
  );
}

describe("count", () => {
  it("counts edits a file, once a call, and forgets them at a revert since the reset only", () => {
    const stats = fold([edit("a.py"), edit("a.py"), edit("b.py"), revert("a.py"), edit("a.py")]);
    expect(stats.editCount).toEqual({ "a.py": 3, "b.py": 1 });
    expect(stats.editsSinceReset).toEqual({ "a.py": 1, "b.py": 1 });
    expect(stats.editsSincePass).toEqual({ "a.py": 3, "b.py": 1 });
    expect(stats.sourceEdits).toBe(4);
    expect(stats.step).toBe(5);
  });

  it("takes a revert without named files for all of them", () => {
    expect(fold([edit("a.py"), edit("b.py"), revert()]).editsSinceReset).toEqual({});
  });

  it.each([
    ["reads pile up", [read("a"), read("b"), read("a")], 3],
    ["a source edit starts anew", [read("a"), edit("a"), read("a")], 1],
    ["scratch edits and tests neither add nor reset", [read("a"), { edited: ["t.py"] }, {}], 1],
  ])("reads since the last source edit: %s", (_, calls, reads) => {
    expect(fold(calls).readsSinceEdit).toBe(reads);
  });

  it.each([
    ["failures in a row", [1, 2, 124], false, 3],
    ["a success in between", [1, 0, 1], false, 1],
    ["an unknown code is neither", [1, null, 1], false, 2],
    ["a search without a match is neither", [1, 1], true, 0],
    ["a search that fails", [2, 1], true, 1],
  ])("consecutive failures: %s", (_, codes, isSearch, failures) => {
    const calls = codes.map((exitCode) => ({ exitCode, isSearch }));
    expect(fold(calls).consecutiveFailures).toBe(failures);
  });

  it("counts actions, submits and empty ones left out", () => {
    const stats = fold([
      { action: "ls" },
      { action: "constructor" },
      { action: "__proto__" },
      { action: "ls" },
      { action: null },
      { action: "submit", isSubmit: true },
    ]);
    expect(Object.entries(stats.actionCount)).toEqual([
      ["ls", 2],
      ["constructor", 1],
      ["__proto__", 1],
    ]);
  });

  it("ranks files by calls that touched them, then by the newest touch, then by path", () => {
    const stats = fold([
      { touched: ["b", "a"] },
      { touched: ["c"] },
      { touched: ["d"] },
      { touched: ["c", "c"] },
    ]);
    expect(stats.topTouched).toEqual([
      { file: "c", n: 2 },
      { file: "d", n: 1 },
      { file: "a", n: 1 },
      { file: "b", n: 1 },
    ]);
  });

  it("goes on from JSON", () => {
    const name = fc.constantFrom("a.py", "b.py", "__proto__", "toString");
    const call = fc.record({
      touched: fc.array(name),
      edited: fc.array(name),
      reverted: fc.array(name),
      isRevert: fc.boolean(),
      isSourceEdit: fc.boolean(),
      action: fc.option(name),
      exitCode: fc.option(fc.nat(2)),
    });
    fc.assert(
      fc.property(fc.array(call), call, (calls, next) => {
        const stats = fold(calls);
        const copy: MemoryStats = JSON.parse(JSON.stringify(stats));
        expect(count(copy, { ...idle, ...next })).toEqual(count(stats, { ...idle, ...next }));
      }),
    );
  });
});

describe("what starts counts anew", () => {
  const stats = fold([{ ...edit("a.py"), action: "sed", exitCode: 1 }, read("b.py")]);

  it("a backtrack: edits since it, reads, failures, actions", () => {
    const after = afterBacktrack({ ...stats, consecutiveFailures: 4 });
    expect(after).toMatchObject({
      editsSinceReset: {},
      readsSinceEdit: 0,
      readsSinceCheck: 0,
      consecutiveFailures: 0,
      actionCount: {},
      editCount: { "a.py": 1 },
      editsSincePass: { "a.py": 1 },
      sourceEdits: 1,
    });
  });

  it.each([
    { verdict: "pass", isVerified: false, isTest: false, clears: true, reads: 0 },
    { verdict: "undefined", isVerified: true, isTest: true, clears: true, reads: 0 },
    { verdict: "undefined", isVerified: true, isTest: false, clears: true, reads: 1 },
    { verdict: "fail", isVerified: true, isTest: true, clears: false, reads: 1 },
    { verdict: "undefined", isVerified: false, isTest: true, clears: false, reads: 1 },
  ] as const)("a check: $verdict, verified $isVerified, a test run $isTest", (row) => {
    const { clears, reads, ...check } = row;
    const after = afterCheck(stats, check);
    expect(after.editsSincePass).toEqual(clears ? {} : { "a.py": 1 });
    expect(after.readsSinceCheck).toBe(reads);
  });

  it("an integrity check: what it looked at and found whole", () => {
    const broken = afterIntegrity(stats, { checked: ["a.py", "b.py"], corrupt: ["a.py", "b.py"] });
    const mended = afterIntegrity(broken, { checked: ["a.py"], corrupt: [] });
    expect(broken.corrupt).toEqual(["a.py", "b.py"]);
    expect(mended.corrupt).toEqual(["b.py"]);
  });
});
