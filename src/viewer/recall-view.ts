import { anchorFor, policyFor } from "../substrate/couplings.ts";
import { type Explanation, explain } from "../substrate/memory/explain.ts";
import { filesOf } from "../substrate/memory/memory.ts";
import type { MemoryNode } from "../substrate/memory/node.ts";
import type { Advice, SubstrateState } from "../substrate/state.ts";

/** A recalled message, and why. */
export type RecalledNode = Explanation["recalled"][number] & {
  readonly turn: number;
  readonly role: MemoryNode["role"];
  readonly files: readonly string[];
  readonly summary: string;
};

export interface RecallView
  extends Pick<Explanation, "anchor" | "policy" | "candidates" | "tokens"> {
  /** In the order in which they are worth showing. */
  readonly nodes: readonly RecalledNode[];
}

/** What memory recalls in a state, at the end of a turn that ran something. */
export function recallOf(
  { memory, rules }: SubstrateState,
  { signal, action }: Pick<Advice, "signal" | "action">,
): RecallView | null {
  if (memory === null || action === null) return null;
  const anchor = anchorFor(memory, signal, rules);
  const { recalled, ...rest } = explain(memory, anchor, policyFor(signal, rules), rules.memory);
  const byId = new Map(memory.nodes.map((node) => [node.id, node]));
  const nodes = recalled.flatMap((reason) => {
    const node = byId.get(reason.id);
    if (node === undefined) return [];
    const { turn, role, summary } = node;
    return [{ ...reason, turn, role, summary, files: filesOf(memory, node) }];
  });
  return { anchor, policy: rest.policy, candidates: rest.candidates, tokens: rest.tokens, nodes };
}

/** What a recalled message is about: its first file, else who said it. */
export function labelOf({ files, role }: Pick<RecalledNode, "files" | "role">): string {
  const speakers = { user: "the issue", assistant: "what the model said", tool: "an output" };
  return files[0] ?? speakers[role];
}
