import { type Html, html } from "../domain/html.ts";
import type { PolicyPhase } from "../domain/phase.ts";
import { type Chart, type ChartArrow, chartOf } from "./chart.ts";

/** Where a state's box stands; states are stacked, arrows run beside them. */
const box = { left: 92, width: 120, height: 24, step: 34, innerStep: 15 };
const width = 320;

interface Placed {
  readonly id: string;
  readonly inner: readonly string[];
  readonly y: number;
  readonly height: number;
}

function placed({ states }: Chart): readonly Placed[] {
  let y = 18;
  return states.map(({ id, inner }) => {
    const height = box.height + (inner.length > 0 ? box.innerStep : 0);
    const place = { id, inner, y, height };
    y += height + box.step - box.height;
    return place;
  });
}

/** The statechart that the planner runs, the live state lit. `inner`: of the states inside it. */
export function chartHtml(at: PolicyPhase | null, inner: string | null): Html {
  const chart = chartOf();
  const places = placed(chart);
  const last = places.at(-1);
  const height = (last ? last.y + last.height : 0) + 8;
  const initial = places.find(({ id }) => id === chart.initial);
  const center = box.left + box.width / 2;
  return html`<section class="chart" id="chart"><h3>Phase</h3>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Statechart of the planner${at && `, in ${at}`}"><defs><marker id="arrow-head" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="5" markerHeight="5" orient="auto-start-reverse"><path d="M0 0L6 3L0 6z"/></marker></defs>
${initial && html`<circle class="initial" cx="${center}" cy="5" r="3"/><path class="arrow" marker-end="url(#arrow-head)" d="M${center} 8V${initial.y - 1}"/>`}
${chart.arrows.map((arrow) => arrowHtml(arrow, places, at))}${places.map((place) => stateHtml(place, at, inner))}</svg></section>`;
}

function stateHtml(
  { id, inner, y, height }: Placed,
  at: string | null,
  active: string | null,
): Html {
  const lit = id === at ? " lit" : "";
  const each = box.width / Math.max(inner.length, 1);
  return html`<g class="state ${id}${lit}" data-state="${id}"><rect x="${box.left}" y="${y}" width="${box.width}" height="${height}" rx="6"/><text x="${box.left + box.width / 2}" y="${y + 16}">${id}</text>${inner.map(
    (name, index) =>
      html`<text class="inner${lit && name === active && " lit"}" data-inner="${name}" x="${box.left + each * (index + 0.5)}" y="${y + box.height + 7}">${name}</text>`,
  )}</g>`;
}

/** The event of an arrow, without its guard. */
const eventOf = ([label = ""]: readonly string[]) => label.split(" ")[0] ?? "";

/** Arrows down run on the right, arrows up on the left, the longer the farther out. */
function arrowHtml(
  { from, to, labels }: ChartArrow,
  places: readonly Placed[],
  at: string | null,
): Html {
  const target = places.findIndex(({ id }) => id === to);
  const end = places[target];
  if (end === undefined) return html``;
  const title = html`<title>${from ?? "any state"} → ${to}: ${labels.join(", ")}</title>`;
  const middle = ({ y, height }: Placed) => y + height / 2;
  const right = box.left + box.width;
  if (from === null) {
    const y = middle(end);
    return html`<g class="arrow any" data-from="*"><path marker-end="url(#arrow-head)" d="M${right + 40} ${y}H${right + 2}"/><text x="${right + 44}" y="${y + 4}">any: ${eventOf(labels)}</text>${title}</g>`;
  }
  const source = places.findIndex(({ id }) => id === from);
  const begin = places[source];
  if (begin === undefined) return html``;
  const down = target > source;
  const span = Math.abs(target - source);
  const side = down ? right : box.left;
  const out = down ? right + 6 + span * 20 : box.left - 6 - span * 20;
  const [y1, y2] = [middle(begin) + (down ? 5 : -5), middle(end) + (down ? -5 : 5)];
  const lit = from === at ? " lit" : "";
  return html`<path class="arrow${lit}" data-from="${from}" marker-end="url(#arrow-head)" d="M${side} ${y1}C${out} ${y1} ${out} ${y2} ${side + (down ? 2 : -2)} ${y2}">${title}</path>`;
}
