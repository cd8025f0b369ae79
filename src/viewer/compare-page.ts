import { type Html, html } from "../domain/html.ts";
import { dollars, duration } from "./amounts.ts";
import type { Comparison } from "./comparison.ts";
import type { EpisodeView, StepView } from "./episode-view.ts";
import type { Entry } from "./library.ts";
import { statusHtml, titleOf } from "./overview-html.ts";
import { bandHtml } from "./phase-band.ts";
import { type StepLayout, stepHtml } from "./step-html.ts";

/** Two episodes side by side from the step at which they part; what they share is folded away. */
export function compareMain(comparison: Comparison, layout: Pick<StepLayout, "cap">): Html {
  const { left, right, parting, rows } = comparison;
  const scale = rows.length;
  const shared = parting === null ? rows : rows.slice(0, parting - 1);
  const rest = parting === null ? [] : rows.slice(parting - 1);
  const pair = (row: Comparison["rows"][number]) => pairHtml(row, comparison, layout.cap);
  return html`<div class="episode"><h1>${titleOf(left.recording)}${
    titleOf(right.recording) !== titleOf(left.recording) && ` and ${titleOf(right.recording)}`
  }</h1>${differencesHtml(left, right)}
<div class="pair-bands pair">${bandHtml(left, "a-", scale)}${bandHtml(right, "b-", scale)}</div>
<section id="steps" aria-label="Steps">${
    shared.length > 0 &&
    html`<details><summary>${sharedText(shared.length)}</summary>${shared.map(pair)}</details>`
  }<p class="parting" id="parting">${partingText(parting, left, right)}</p>${rest.map(pair)}</section></div>`;
}

function sharedText(steps: number): string {
  return steps === 1 ? "Step 1 ran the same" : `Steps 1 to ${steps} ran the same`;
}

function partingText(parting: number | null, left: EpisodeView, right: EpisodeView): string {
  if (parting === null) return "They ran the same commands throughout";
  const ended = [left, right].find(({ steps }) => steps.length < parting);
  return ended ? `One of them ends before step ${parting}` : `They part at step ${parting}`;
}

function pairHtml(
  { step, left, right, same }: Comparison["rows"][number],
  both: Comparison,
  cap: number,
): Html {
  const side = (view: StepView | null, prefix: string, { recording }: EpisodeView) =>
    view === null
      ? html`<p class="gone">It has ended.</p>`
      : stepHtml(view, { prefix, cap, advised: recording.advised, whole: null, reasons: 0 });
  return html`<div class="pair stop${same && " same"}" id="step-${step}" data-step="${step}" tabindex="-1" role="group" aria-label="Step ${step} of both">${side(left, "a-", both.left)}${side(right, "b-", both.right)}</div>`;
}

/** What can be said of an episode in one cell, by name. */
function differencesHtml(left: EpisodeView, right: EpisodeView): Html {
  const rows: readonly (readonly [string, (view: EpisodeView) => string | Html | null])[] = [
    ["arm", ({ recording }) => recording.arm],
    ["model", ({ recording }) => recording.model],
    ["status", ({ recording }) => statusHtml(recording.status)],
    ["steps", ({ steps }) => String(steps.length)],
    ["cost", ({ recording: { cost } }) => (cost === null ? null : dollars(cost))],
    ["time", ({ recording: { seconds } }) => (seconds === null ? null : duration(seconds))],
    ["first edit", (view) => stepOf(view, "edit")],
    ["first test run", (view) => stepOf(view, "test")],
    ["stuck", (view) => stepsOf(view, "stuck")],
    ["went back", (view) => stepsOf(view, "back")],
    ["patch", ({ recording: { patch } }) => patch && (patch.files.join(", ") || "none")],
  ];
  const told = rows.map(([name, of]) => ({ name, one: of(left), other: of(right) }));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="How they differ"><table class="differences"><thead><tr><th scope="col"><span class="unseen">What</span></th><th scope="col">left</th><th scope="col">right</th></tr></thead><tbody>${told
    .filter(({ one, other }) => one !== null || other !== null)
    .map(
      ({ name, one, other }) =>
        html`<tr><th scope="row">${name}</th><td>${one ?? "–"}</td><td>${other ?? "–"}</td></tr>`,
    )}</tbody></table></div>`;
}

function stepOf({ moments }: EpisodeView, kind: string): string | null {
  const found = moments.find((moment) => moment.kind === kind);
  return found ? `step ${found.step}` : null;
}

function stepsOf({ moments }: EpisodeView, kind: string): string | null {
  const found = moments.filter((moment) => moment.kind === kind).map(({ step }) => step);
  return found.length === 0 ? null : `step ${found.join(", ")}`;
}

/** With which episode to compare one; those of the same instance come first. */
export function choiceMain(one: Entry, entries: readonly Entry[]): Html {
  const others = entries.filter(({ key }) => key !== one.key);
  const isSame = ({ instanceId }: Entry) => instanceId !== null && instanceId === one.instanceId;
  const ordered = [...others.filter(isSame), ...others.filter((entry) => !isSame(entry))];
  return html`<h1>Compare ${one.title}</h1><p class="quiet">${one.arm}, ${one.status ?? "status not recorded"}. With which?</p>${
    ordered.length === 0 && html`<p>There is no other episode here.</p>`
  }<ul class="choice">${ordered
    .slice(0, 200)
    .map(
      (entry) =>
        html`<li><a href="/compare?with=${one.key}&amp;with=${entry.key}">${entry.title}</a> ${statusHtml(entry.status)} <span class="quiet">${entry.arm}, ${entry.model ?? ""} ${entry.file ?? entry.key}</span></li>`,
    )}</ul>`;
}
