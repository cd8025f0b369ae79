import type { BriefRecord } from "../domain/briefing.ts";
import { type Html, html } from "../domain/html.ts";
import { score } from "./amounts.ts";
import { cutText } from "./folding.ts";

/** What memories across issues said: the block as it was shown, and what each memory is. */
export function experienceHtml(brief: BriefRecord, cap: number): Html {
  const { block, recalled, waiting, denied } = brief;
  const notes = [
    ...(waiting.length === 0 ? [] : [`${waiting.length} wait for room`]),
    ...Object.entries(denied).map(
      ([reason, n]) => `${n} kept back: ${reason.replaceAll("_", " ")}`,
    ),
  ];
  if (block === null && notes.length === 0) return html``;
  return html`<div class="experience">${
    block !== null &&
    html`<details class="block" open><summary>From other issues</summary><pre>${cutText(block, cap)}</pre></details>`
  }${recalled.length > 0 && tableHtml(brief)}${notes.length > 0 && html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`}</div>`;
}

function tableHtml({ recalled, phase, entry }: BriefRecord): Html {
  return html`<details class="recall"><summary>Recalled ${recalled.length} from other issues: which</summary>
<p class="quiet">Asked as the agent entered ${phase}, entry ${entry}.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Recalled from other issues"><table><thead><tr><th scope="col">issue</th><th scope="col">source</th><th scope="col">stage</th><th scope="col">score</th><th scope="col">tokens</th></tr></thead>
<tbody>${recalled.map(
    ({ id, instanceId, source, stage, score: value, tokens }) =>
      html`<tr><th scope="row" title="${id}">${instanceId ?? "no single one"}</th><td>${source}</td><td>${stage ?? ""}</td><td>${score(value)}</td><td>${tokens}</td></tr>`,
  )}</tbody></table></div></details>`;
}
