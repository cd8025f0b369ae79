import { type Html, html } from "../domain/html.ts";
import type { FileChurn, FileRow } from "./file-churn.ts";

const rowHeight = 18;
const arcsWidth = 60;
/** From so many on they are drawn fainter; pointing at a file lights its own (our choice). */
const manyArcs = 30;

/**
 * The files that the steps touched: arcs join those that memory's graph joins, cells show at which
 * step each was read, edited or put back.
 */
export function filesHtml({ rows, more, arcs }: FileChurn, steps: number): Html {
  const width = Math.max(steps, 1);
  const height = Math.max(rows.length, 1) * rowHeight;
  return html`<section class="files" id="files"><h3>Files</h3>${
    rows.length === 0
      ? html`<p class="quiet">No file was touched yet.</p>`
      : html`<p class="legend quiet"><span class="key edit"></span>edited <span class="key read"></span>read <span class="key revert"></span>put back; arcs join files that belong together</p>
<div class="churn"><svg class="arcs${arcs.length > manyArcs && " many"}" viewBox="0 0 ${arcsWidth} ${height}" width="${arcsWidth}" height="${height}" role="img" aria-label="${arcs.length} edges of the file graph">${arcs.map(arcHtml)}</svg>
<ul>${rows.map(({ path, edits, reads }, place) => html`<li data-row="${place}" title="${path}: ${edits} edits, ${reads} reads"><bdi>${path}</bdi></li>`)}</ul>
<svg class="cells timeline" data-steps="${width}" viewBox="0 0 ${width} ${height}" height="${height}" preserveAspectRatio="none" role="img" aria-label="${churnText(rows)}">
<rect class="cursor" x="0" y="0" width="1" height="${height}"/>${rows.map(cellsHtml)}</svg></div>`
  }${more > 0 && html`<p class="quiet">and ${more} more</p>`}</section>`;
}

function arcHtml({ from, to, cost }: FileChurn["arcs"][number]): Html {
  const y = (row: number) => row * rowHeight + rowHeight / 2;
  const reach = Math.min(6 + (to - from) * 5, arcsWidth - 4) * 1.3;
  const weak = cost > 1 ? " weak" : "";
  return html`<path class="arc${weak}" data-ends="${from} ${to}" d="M${arcsWidth} ${y(from)}C${arcsWidth - reach} ${y(from)} ${arcsWidth - reach} ${y(to)} ${arcsWidth} ${y(to)}"/>`;
}

function cellsHtml({ cells }: FileRow, place: number): Html {
  const y = place * rowHeight + 3;
  return html`${cells.map(({ step, did }) => html`<rect class="${did}" x="${step - 1}" y="${y}" width="1" height="${rowHeight - 6}"/>`)}`;
}

function churnText(rows: readonly FileRow[]): string {
  const [most] = rows;
  if (most === undefined) return "";
  return `Reads and edits by file and step; most: ${most.path}, ${most.edits} edits, ${most.reads} reads`;
}
