import type { ExportedSignal } from "../domain/plan.ts";
import { anchorFor, policyFor, type Rules } from "./couplings.ts";
import type { Recollection } from "./injection/block.ts";
import type { OfferedMemory } from "./injection/inject.ts";
import { filesOf, type Memory } from "./memory/memory.ts";
import type { MemoryNode } from "./memory/node.ts";
import { retrieve } from "./memory/retrieve.ts";

/** What memory recalls at a step, and what injection needs of it. */
export interface Recall {
  /** Ids, in the order in which they are worth showing. */
  readonly retrieved: readonly number[];
  readonly offer: OfferedMemory;
}

/** Retrieval under the couplings, at the end of a turn. */
export function recall(memory: Memory, signal: ExportedSignal | null, rules: Rules): Recall {
  const anchor = anchorFor(memory, signal, rules);
  const { core, recalled } = retrieve(memory, anchor, policyFor(signal, rules), rules.memory);
  const byId = new Map(memory.nodes.map((node) => [node.id, node]));
  const shown = recalled.flatMap((id) => byId.get(id) ?? []);
  const eligible = rules.injection.placebo
    ? memory.nodes.filter(({ id }) => !core.includes(id))
    : [];
  return {
    retrieved: recalled,
    offer: {
      stats: memory.stats,
      focus: anchor.files,
      recalled: shown.map((node) => recollectionOf(memory, node)),
      eligible: eligible.map((node) => recollectionOf(memory, node)),
    },
  };
}

function recollectionOf(memory: Memory, node: MemoryNode): Recollection {
  return { id: node.id, label: filesOf(memory, node)[0] ?? node.role, view: node.view };
}
