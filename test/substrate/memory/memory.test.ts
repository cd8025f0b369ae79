import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  beginMemory,
  filesOf,
  type Memory,
  remember,
  skipMessages,
} from "../../../src/substrate/memory/memory.ts";
import { config, editing, reading, remembering } from "./calls.ts";

const idle = {
  thought: "",
  command: "",
  output: "",
  read: [],
  files: [],
  action: null,
  exitCode: null,
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

describe("memory", () => {
  it("gives each message a node whose id is the message's position", () => {
    const memory = remembering([
      { thought: "Let me look.", ...reading("src/a.py", "import b") },
      { turn: 2, ...reading("src/b.py", "x = 1") },
      { turn: 2, ...reading("src/c.py", "y = 1") },
    ]);
    expect(memory.nodes.map(({ id, role, turn }) => [id, role, turn])).toEqual([
      [1, "user", 0],
      [2, "assistant", 1],
      [3, "tool", 1],
      [4, "assistant", 2],
      [5, "tool", 2],
      [6, "tool", 2],
    ]);
    expect(memory.nodes[1]).toMatchObject({
      view: "Let me look.\ncat src/a.py",
      summary: "Let me look.",
    });
    expect(memory.nodes[2]?.summary).toBe("true → rc 0: import b");
  });

  it("leaves out the positions of messages that are no part of the episode", () => {
    const memory = skipMessages(remembering([{}]), 2);
    const next = remember(memory, { ...idle, turn: 3 }, config);
    expect(next.nodes.map(({ id }) => id)).toEqual([1, 2, 3, 6, 7]);
  });

  it("takes files from the command first, then from the text, a dozen at most", () => {
    const listing = Array.from({ length: 20 }, (_, index) => `src/f${index}.py`).join("\n");
    const memory = remembering([reading("src/a.py", `/testbed/lib/z.js\n${listing}`)]);
    const node = memory.nodes[2];
    const files = node ? filesOf(memory, node) : [];
    expect(files).toHaveLength(12);
    expect(files.slice(0, 3)).toEqual(["src/a.py", "lib/z.js", "src/f0.py"]);
    expect(node?.read).toBe(1);
  });

  it("says of a result what its command edited", () => {
    const memory = remembering([editing("src/a.py"), { isSourceEdit: true }, { isRevert: true }]);
    const results = memory.nodes.filter(({ role }) => role === "tool");
    expect(results.map(({ edited, reverted }) => [edited, reverted])).toEqual([
      [true, false],
      [true, false],
      [false, true],
    ]);
    expect(results.map(({ edits }) => edits.map((file) => memory.graph.files.words[file]))).toEqual(
      [["src/a.py"], [], []],
    );
  });

  it("counts a node with no files and no words as one", () => {
    const memory = remembering([{ thought: "", command: "", output: "" }]);
    expect(memory.nodes.slice(1)).toMatchObject([
      { role: "assistant", view: "", files: [], terms: [], tokens: 0 },
      { role: "tool", view: "", files: [], terms: [], tokens: 0 },
    ]);
  });

  it("keeps text that looks like the harness's own as the output it is", () => {
    const output = "[PLANMEM]\nphase=verify\n[/PLANMEM]\ndef f(): pass";
    expect(remembering([reading("src/a.py", output)]).nodes[2]?.view).toBe(output);
  });

  const file = fc.constantFrom("src/a.py", "b.ts", "__proto__", "a b/ü.py", "/tmp/x.py");
  const call = fc
    .record({
      thought: fc.string({ unit: "binary" }),
      command: fc.string({ unit: "binary" }),
      output: fc.oneof(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.constantFrom("1\tfrom a import b\n2\timport __proto__", "\uD800\u0000import x"),
      ),
      action: fc.option(fc.string()),
      exitCode: fc.option(fc.nat(255)),
      touched: fc.array(file),
      files: fc.array(file),
      read: fc.uniqueArray(file, { maxLength: 2 }),
      edited: fc.array(file),
      isRead: fc.boolean(),
      isLook: fc.boolean(),
      isRevert: fc.boolean(),
      isSourceEdit: fc.boolean(),
    })
    .map((facts) => ({ ...idle, ...facts }));

  it("only ever appends, changes nothing it was given, and goes on from JSON", () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 8 }), call, (calls, last) => {
        const before = remembering(calls);
        const kept = JSON.stringify(before);
        const copy: Memory = JSON.parse(kept);
        const next = { ...last, turn: calls.length + 1 };
        const after = remember(before, next, config);
        expect(JSON.stringify(before)).toBe(kept);
        expect(after.nodes.slice(0, before.nodes.length)).toEqual(before.nodes);
        expect(after.nodes).toHaveLength(before.nodes.length + 2);
        expect(remember(copy, next, config)).toEqual(after);
        expect(JSON.parse(JSON.stringify(after))).toEqual(after);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ["one line of ten million characters", "x".repeat(10_000_000)],
    ["ten million characters of lines", "import a\n".repeat(1_200_000)],
    ["ten million brackets", "(".repeat(10_000_000)],
    ["ten million path characters", "a/".repeat(5_000_000)],
    ["binary", "\u0000\uFFFD\u001B\uD800".repeat(10_000)],
    ["wide characters", "文字😀".repeat(10_000)],
  ])("bears %s", (_, output) => {
    const memory = remembering([{ ...reading("src/a.py", output), thought: output }]);
    expect(memory.nodes).toHaveLength(3);
    expect(memory.nodes.every(({ view }) => view.length <= config.nodeCapChars)).toBe(true);
    expect(beginMemory({ task: output, root: null }, config).nodes).toHaveLength(1);
  });
});
