import { createHash } from "node:crypto";
import { Html, html } from "../../domain/html.ts";
import type { Figure, Report, Section, Table } from "./document.ts";

/** Rows from which on a table is folded. Our choice. */
const longTable = 30;

/**
 * The report as one page that needs nothing else: no script, no network. `style`: its style sheet.
 */
export function pageOf({ title, summary, warnings, sections }: Report, style: string): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">${policyHtml(style)}<title>${title}</title><style>${new Html(style)}</style></head>
<body><a class="skip" href="#main">Skip to the content</a>
<main id="main"><header class="head"><h1>${title}</h1>${summary.map((text) => html`<p class="lead">${text}</p>`)}${
    warnings.length > 0 &&
    html`<ul class="warnings" aria-label="Warnings">${warnings.map((text) => html`<li>${text}</li>`)}</ul>`
  }<nav aria-label="Contents"><ol class="contents">${sections.map(
    ({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`,
  )}</ol></nav></header>
${sections.map(sectionHtml)}</main></body></html>
`.text;
}

/** A browser takes this style alone and loads nothing; neither text comes from outside. */
function policyHtml(style: string): Html {
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return html`<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}"><meta name="referrer" content="no-referrer">`;
}

function sectionHtml({ id, title, text, figures, tables }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${text.map(
    (one) => html`<p>${one}</p>`,
  )}${figures.length > 0 && html`<div class="figures">${figures.map(figureHtml)}</div>`}${tables.map(tableHtml)}</section>
`;
}

function figureHtml({ id, title, svg }: Figure): Html {
  return html`<figure id="${id}"><figcaption aria-hidden="true">${title}</figcaption>${svg}</figure>`;
}

function tableHtml(table: Table): Html {
  const { id, caption, rows, isList } = table;
  if (!isList && rows.length < longTable) return wholeTable(table);
  return html`<details id="table-${id}-rows"><summary>${caption}: ${rows.length} rows</summary>${wholeTable(table)}</details>`;
}

function wholeTable({ id, caption, columns, rows, notes, reads }: Table): Html {
  const kind = (at: number) => (columns[at]?.holds === "numbers" ? html` class="n"` : null);
  return html`<div class="table"><div class="scroll" role="region" tabindex="0" aria-labelledby="table-${id}-caption"><table id="table-${id}"><caption id="table-${id}-caption"><span>${caption}</span></caption><thead><tr>${columns.map(
    ({ name }, at) => html`<th scope="col"${kind(at)}>${name}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ([first = "", ...rest]) =>
      html`<tr><th scope="row">${first}</th>${rest.map((cell, at) => html`<td${kind(at + 1)}>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>${notes.map((note) => html`<p class="note">${note}</p>`)}<p class="reads">${reads}</p></div>`;
}
