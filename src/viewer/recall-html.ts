import { type Html, html } from "../domain/html.ts";
import { score } from "./amounts.ts";
import { labelOf, type RecalledNode, type RecallView } from "./recall-view.ts";

/**
 * Why each node was recalled. The table waits in a template until its fold is opened, because a
 * long episode has thousands of rows.
 */
export function recallHtml(
  recall: RecallView,
  { prefix, reasons }: { readonly prefix: string; readonly reasons: number },
): Html {
  const { nodes, policy, anchor, candidates, tokens } = recall;
  if (nodes.length === 0 || reasons === 0) return html``;
  const { wc, wg, lambda, beam, budget } = policy;
  return html`<details class="recall"><summary>Recalled ${nodes.length} of ${candidates}: why</summary><template>
<p class="quiet">Asked for <b>${anchor.words.join(" ") || "no words"}</b> near <b>${anchor.files.join(", ") || "no files"}</b>. Relevance is ${wc} · lexical + ${wg} · graph; gain is ${lambda} · relevance − ${score(1 - lambda)} · redundancy. Beam ${beam}, ${tokens} of ${budget} tokens.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Recalled messages"><table><thead><tr><th scope="col">message</th><th scope="col">lexical</th><th scope="col">graph</th><th scope="col">redundancy</th><th scope="col">gain</th><th scope="col">rank</th><th scope="col">tokens</th></tr></thead>
<tbody>${nodes.slice(0, reasons).map((node) => rowHtml(node, prefix))}</tbody></table></div>${nodes.length > reasons && html`<p class="quiet">and ${nodes.length - reasons} more</p>`}</template></details>`;
}

function rowHtml(node: RecalledNode, prefix: string): Html {
  const { turn, role, lexical, graph, redundancy, gain, rank, tokens, id } = node;
  const who = { user: "issue", assistant: "call", tool: "result" }[role];
  const place = turn === 0 ? "the issue" : html`<a href="#${prefix}step-${turn}">${turn}</a>`;
  return html`<tr><th scope="row" title="#${id} ${node.summary.slice(0, 80)}">${place} ${who} <span class="file">${labelOf(node)}</span></th><td>${score(lexical)}</td><td>${score(graph)}</td><td>${score(redundancy)}</td><td>${score(gain)}</td><td>${rank}</td><td>${tokens}</td></tr>`;
}
