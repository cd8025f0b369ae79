import { type Html, html } from "../domain/html.ts";
import { plural } from "../domain/quantities.ts";
import {
  meanTrajectoryReward,
  type SearchNode,
  type SearchState,
  type SearchTree,
} from "../domain/search-tree.ts";
import { cutText } from "./folding.ts";

/** The tree of a search as nested lists; each node opens what it did and what it was worth. */
export function searchTreeHtml(search: SearchState | null, cap: number): Html {
  if (search === null) return html`<section id="tree" hidden></section>`;
  const { tree, choice } = search;
  const chosen = choice?.node ?? null;
  const said =
    choice === null
      ? "none is chosen yet"
      : `node ${choice.node} was chosen (${choice.by === "only" ? "the only one" : choice.by})`;
  return html`<section class="tree" id="tree" aria-labelledby="tree-title"><h2 id="tree-title">Search</h2>
<p class="quiet">${plural(tree.length - 1, "node")} below the root; ${said}${choice?.reason && html`: ${cutText(choice.reason, 300)}`}</p>
${branchesHtml(tree, tree[0], { chosen, cap })}</section>`;
}

interface Layout {
  readonly chosen: number | null;
  readonly cap: number;
}

function branchesHtml(tree: SearchTree, node: SearchNode | undefined, layout: Layout): Html {
  const children = node?.children.flatMap((id) => tree[id] ?? []) ?? [];
  if (children.length === 0) return html``;
  return html`<ul>${children.map(
    (child) =>
      html`<li${child.id === layout.chosen && html` aria-current="true"`}>${nodeHtml(tree, child, layout)}${branchesHtml(tree, child, layout)}</li>`,
  )}</ul>`;
}

function nodeHtml(tree: SearchTree, node: SearchNode, { chosen, cap }: Layout): Html {
  const marks = [
    ...(node.id === chosen ? ["chosen"] : []),
    ...(node.finished ? ["finished"] : []),
    ...(node.duplicate ? ["duplicate"] : []),
    ...(node.error === null ? [] : ["failed"]),
  ];
  const mean = meanTrajectoryReward(tree, node.id);
  return html`<details><summary><b>${node.id}</b> ${node.action?.tool ?? "no action"} <span class="quiet">reward ${node.reward?.value ?? "none"}, ${plural(node.visits, "visit")}, mean of the path ${mean.toFixed(1)}</span>${marks.map((mark) => html` <span class="kind">${mark}</span>`)}</summary>
<dl>${rowsOf(node).map(([name, text]) => html`<div><dt>${name}</dt><dd><pre>${cutText(text, cap)}</pre></dd></div>`)}</dl></details>`;
}

/** What there is to say of a node, empty texts left out. */
function rowsOf(node: SearchNode): readonly (readonly [string, string])[] {
  const { instruction, action, observation, reward, diff } = node;
  const rows = [
    ["Instruction", instruction === null ? "" : `${instruction.type}: ${instruction.instructions}`],
    ["Action", action === null ? "" : JSON.stringify(action.input, null, 2)],
    ["Observation", observation],
    ["Value", reward === null ? "" : `${reward.value}: ${reward.explanation}`],
    ["Feedback", reward?.feedback ?? ""],
    ["Changes", diff],
  ] as const;
  return rows.filter(([, text]) => text !== "");
}
