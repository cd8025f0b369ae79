import { type Html, html } from "../domain/html.ts";
import { chartHtml } from "./chart-html.ts";
import { countersHtml } from "./counters-html.ts";
import type { EpisodeView } from "./episode-view.ts";
import { filesHtml } from "./files-html.ts";
import { ladderHtml } from "./ladder-html.ts";
import { headHtml, momentsHtml, textsHtml } from "./overview-html.ts";
import { bandHtml } from "./phase-band.ts";
import { searchTreeHtml } from "./search-tree-html.ts";
import { type StepLayout, stepHtml } from "./step-html.ts";

/** Parts of an episode's page that change while it runs, each with the id of its element. */
export function overviewParts(
  view: EpisodeView,
  { prefix, cap }: Pick<StepLayout, "prefix" | "cap">,
): readonly { readonly id: string; readonly html: Html }[] {
  const last = view.steps.findLast(({ insight }) => insight !== null)?.insight ?? null;
  const steps = view.steps.length;
  return [
    { id: `${prefix}head`, html: headHtml(view, prefix) },
    { id: "moments", html: momentsHtml(view) },
    { id: `${prefix}band`, html: bandHtml(view, prefix) },
    { id: "ladder", html: ladderHtml(view.ladder, view.known, last?.active ?? null) },
    { id: "counters", html: countersHtml(view.counters, steps) },
    { id: "files", html: filesHtml(view.files, steps) },
    { id: "tree", html: searchTreeHtml(view.recording.search, cap) },
  ];
}

/** `live`: address of the stream with what comes later; null: nothing comes. */
export function episodeMain(view: EpisodeView, layout: StepLayout, live: string | null): Html {
  const [head, moments, band, ladder, counters, files, tree] = overviewParts(view, layout).map(
    (part) => part.html,
  );
  const last = view.steps.findLast(({ insight }) => insight !== null)?.insight ?? null;
  const inner = last?.phase === "verify" ? (last.proven ? "proven" : "unproven") : null;
  const stream = live !== null && html` data-live="${live}"`;
  return html`<div class="episode"${stream}>${head}${moments}${textsHtml(view, layout.cap)}${tree}${band}
<div class="columns"><section id="steps" aria-label="Steps"><h2 class="unseen">Steps</h2>${view.steps.map((step) => stepHtml(step, layout))}</section>
<aside class="state" aria-label="State at a step" tabindex="0"><details open><summary><h2>At step <output id="at">${view.known}</output> <span class="quiet">of <span id="of">${view.steps.length}</span></span></h2></summary>
${chartHtml(last?.phase ?? null, inner)}${ladder}${counters}${files}</details></aside></div></div>`;
}

/** The search field of pages with steps; `/` leads to it. */
export const searchHtml = html`<form class="search" role="search" id="search"><input type="search" name="q" aria-label="Search in the steps" placeholder="Search /" autocomplete="off" spellcheck="false"><output id="hits"></output></form>`;
