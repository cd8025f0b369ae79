import { type Html, html, type Value } from "../domain/html.ts";
import { plural } from "../domain/quantities.ts";
import { moment } from "./amounts.ts";
import { type Filter, matching, valuesOf } from "./filter.ts";
import type { Entry } from "./library.ts";
import { statusHtml } from "./overview-html.ts";

/** Rows of one page (our choice: what a browser lays out at once). */
const rowLimit = 500;

/** All episodes that there are, narrowed by a form that needs no script. */
export function runsMain(entries: readonly Entry[], filter: Filter): Html {
  const shown = matching(entries, filter);
  return html`<h1>Episodes</h1>${filtersHtml(entries, filter)}
<form action="/compare" method="get" class="tools-form"><div class="tools"><span class="quiet">${
    shown.length === entries.length
      ? plural(entries.length, "episode")
      : `${shown.length} of ${plural(entries.length, "episode")}`
  }</span><button type="submit">Compare the two that are ticked</button></div>
${shown.length === 0 ? html`<p class="quiet">${emptyText(entries)}</p>` : tableHtml(shown)}</form>${byInstanceHtml(shown)}`;
}

function emptyText(entries: readonly Entry[]): string {
  return entries.length === 0
    ? "Nothing is recorded here yet. Start a run with pmcoder run, or open a file with pmcoder view FILE."
    : "No episode is like this. Take a filter away.";
}

function filtersHtml(entries: readonly Entry[], filter: Filter): Html {
  const choice = (label: string, name: keyof Filter, values: readonly string[]) =>
    values.length < 2 && filter[name] === ""
      ? null
      : html`<label>${label}<select name="${name}"><option value="">all</option>${values.map(
          (value) =>
            html`<option value="${value}"${value === filter[name] && html` selected`}>${value}</option>`,
        )}</select></label>`;
  return html`<form class="filters" action="/" method="get" role="search"><label>Text<input type="search" name="text" value="${filter.text}" autocomplete="off"></label>${choice("Status", "status", valuesOf(entries, "status"))}${choice("Arm", "arm", valuesOf(entries, "arm"))}${choice("Model", "model", valuesOf(entries, "model"))}${choice("Instance", "instance", valuesOf(entries, "instanceId"))}<button type="submit">Filter</button></form>`;
}

function tableHtml(entries: readonly Entry[]): Html {
  const hasFiles = entries.some(({ file }) => file !== null);
  const hasStart = entries.some(({ startedAt }) => startedAt !== null);
  const left = entries.length - rowLimit;
  return html`<table class="runs"><thead><tr><th scope="col"><span class="unseen">Compare</span></th><th scope="col">Episode</th><th scope="col">Status</th><th scope="col">Arm</th><th scope="col" class="wide">Model</th>${
    hasStart && html`<th scope="col" class="wide">Started, UTC</th>`
  }${hasFiles && html`<th scope="col" class="wide">Steps</th><th scope="col" class="wide">File</th>`}</tr></thead><tbody>${entries
    .slice(0, rowLimit)
    .map((entry) => rowHtml(entry, { hasFiles, hasStart }))}</tbody></table>${
    left > 0 && html`<p class="quiet">and ${left} more: narrow the list</p>`
  }`;
}

function rowHtml(
  entry: Entry,
  { hasFiles, hasStart }: { readonly hasFiles: boolean; readonly hasStart: boolean },
): Html {
  const { key, title, status, arm, model, startedAt, steps, file } = entry;
  const wide = (value: Value) => html`<td class="wide">${value}</td>`;
  return html`<tr><td><input type="checkbox" name="with" value="${key}" aria-label="Compare ${title}"></td><td><a href="/episode/${key}">${title}</a>${title !== key && file === null && html` <span class="quiet">${key}</span>`}</td><td>${statusHtml(status)}</td><td>${arm}</td>${wide(model ?? "")}${hasStart && wide(startedAt === null ? "" : moment(startedAt))}${hasFiles && html`${wide(steps)}${wide(file === null ? "" : html`<span title="${file}">${file.replace(/^.*\//, "")}</span>`)}`}</tr>`;
}

/** An experiment at a glance: a row an instance, a column an arm, each run one link. */
function byInstanceHtml(entries: readonly Entry[]): Html | null {
  const arms = valuesOf(entries, "arm");
  const instances = valuesOf(entries, "instanceId");
  const isExperiment = instances.some(
    (instance) =>
      new Set(entries.filter(({ instanceId }) => instanceId === instance).map(({ arm }) => arm))
        .size > 1,
  );
  if (!isExperiment) return null;
  return html`<section><h2>By instance and arm</h2><div class="scroll" tabindex="0" role="region" aria-label="Episodes by instance and arm"><table class="runs"><thead><tr><th scope="col">Instance</th>${arms.map(
    (arm) => html`<th scope="col">${arm}</th>`,
  )}<th scope="col">Beside each other</th></tr></thead><tbody>${instances
    .slice(0, rowLimit)
    .map((instance) =>
      instanceRow(
        entries.filter(({ instanceId }) => instanceId === instance),
        arms,
      ),
    )}</tbody></table></div></section>`;
}

function instanceRow(entries: readonly Entry[], arms: readonly string[]): Html {
  const of = (arm: string) => entries.filter((entry) => entry.arm === arm);
  const [one, other] = arms.flatMap((arm) => of(arm).slice(0, 1));
  return html`<tr><th scope="row">${entries[0]?.instanceId}</th>${arms.map(
    (arm) =>
      html`<td>${of(arm).map(({ key, status }) => html`<a href="/episode/${key}">${statusHtml(status)}</a> `)}</td>`,
  )}<td>${one && other && html`<a href="/compare?with=${one.key}&amp;with=${other.key}">${one.arm} and ${other.arm}</a>`}</td></tr>`;
}
