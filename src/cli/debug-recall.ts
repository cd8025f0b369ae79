import { understandNext } from "../substrate/command.ts";
import { exportSignal } from "../substrate/planner/signal.ts";
import type { SubstrateState } from "../substrate/state.ts";
import { labelOf, type RecallView, recallOf } from "../viewer/recall-view.ts";
import { visible } from "./terminal-text.ts";
import { table } from "./text-table.ts";

const score = (value: number) => value.toFixed(2);

/** What memory would recall if the turn ended here, and the parts of each score. */
export function recallLines(state: SubstrateState, step: number): readonly string[] {
  const recalled = recallNow(state, step);
  if (recalled === null) return ["The memory is off in this run."];
  const { anchor, policy, nodes, candidates, tokens } = recalled;
  const { budget, lambda, wc, wg, beam } = policy;
  const head = ["", "lexical", "graph", "redundancy", "gain", "rank", "tokens"];
  const rows = nodes.map((node) => [
    `#${node.id} ${visible(labelOf(node))}`,
    ...[node.lexical, node.graph, node.redundancy, node.gain].map(score),
    String(node.rank),
    String(node.tokens),
  ]);
  return [
    `words     ${anchor.words.map(visible).join(" ") || "none"}`,
    `files     ${anchor.files.map(visible).join(", ") || "none"}`,
    `policy    ${budget} tokens, λ ${lambda}, lexical ${wc}, graph ${wg}, beam ${beam}`,
    `recalled  ${nodes.length} of ${candidates} messages, ${tokens} tokens with what is always there`,
    ...(nodes.length === 0 ? [] : table(head, rows)),
  ];
}

function recallNow(state: SubstrateState, step: number): RecallView | null {
  const { plan, memory, rules } = state;
  const moment = {
    step,
    stats: memory?.stats ?? null,
    verdict: "undefined",
    backtrack: false,
  } as const;
  const signal = plan && exportSignal(plan, moment, rules.planner);
  return recallOf(state, { signal, action: understandNext(state, "true").action });
}
