import { describe, expect, it } from "vitest";
import type { MemoryNode } from "../../../src/substrate/memory/node.ts";
import { inShowingOrder } from "../../../src/substrate/memory/showing-order.ts";

const node = (id: number, facts: Partial<MemoryNode>): MemoryNode => ({
  id,
  role: "tool",
  turn: id,
  view: "",
  summary: "",
  files: [],
  read: facts.files?.length ?? 0,
  edited: false,
  edits: [],
  reverted: false,
  action: null,
  exitCode: 0,
  tokens: 1,
  terms: [],
  ...facts,
});
const order = (nodes: readonly MemoryNode[]) => inShowingOrder(nodes).map(({ id }) => id);

describe("inShowingOrder", () => {
  it("puts nodes that read a new file first and keeps the order otherwise", () => {
    expect(
      order([
        node(1, { files: [7] }),
        node(2, { files: [7] }),
        node(3, { files: [] }),
        node(4, { files: [7, 8] }),
        node(5, { files: [9] }),
      ]),
    ).toEqual([1, 4, 5, 2, 3]);
  });

  it("takes a call and its result for one, and shows the result", () => {
    const call = node(1, { role: "assistant", turn: 1, files: [7] });
    const result = node(2, { turn: 1, files: [7, 8] });
    expect(order([call, node(3, { files: [9] }), result])).toEqual([2, 3, 1]);
    expect(order([call, node(3, { files: [9] })])).toEqual([1, 3]);
  });

  it("does not count files that a text only mentions, or that a command ran or changed", () => {
    expect(
      order([
        node(1, { files: [7, 8], read: 0 }),
        node(2, { files: [7], edits: [7] }),
        node(3, { files: [8] }),
      ]),
    ).toEqual([3, 1, 2]);
  });
});
