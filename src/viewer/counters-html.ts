import { type Html, html } from "../domain/html.ts";
import type { CounterSeries } from "./episode-view.ts";

const height = 24;

/** The line of a count over the steps, from change to change. */
function pathOf(values: readonly number[], top: number): string {
  const y = (n: number) => (height - (Math.min(n, top) / top) * (height - 2) - 1).toFixed(1);
  return values
    .map((n, at) => {
      if (at === 0) return `M0 ${y(n)}H1`;
      return n === values[at - 1] ? `H${at + 1}` : `V${y(n)}H${at + 1}`;
    })
    .join("")
    .replace(/(H\d+)+(?=H)/g, "");
}

/** Each count of stuck detection as a small line towards its threshold. */
export function countersHtml(counters: readonly CounterSeries[], steps: number): Html {
  const width = Math.max(steps, 1);
  return html`<section class="counters" id="counters"><h3>Towards stuck</h3>${
    counters.length === 0
      ? html`<p class="quiet">Nothing is counted: there is no planner.</p>`
      : null
  }${counters.map((series) => counterHtml(series, width))}</section>`;
}

function counterHtml({ signal, label, threshold, values }: CounterSeries, width: number): Html {
  const most = Math.max(0, ...values);
  const top = Math.max(threshold, most) * 1.1;
  const limit = (height - (threshold / top) * (height - 2) - 1).toFixed(1);
  const reached = most >= threshold ? " reached" : "";
  return html`<div class="counter${reached}" data-signal="${signal}"><p><span>${label}</span> <span class="value"><output>${values.at(-1) ?? 0}</output> of ${threshold}</span></p>
<svg class="timeline" data-steps="${width}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}: at most ${most}, stuck at ${threshold}">
<rect class="cursor" x="0" y="0" width="1" height="${height}"/><path class="limit" d="M0 ${limit}H${width}"/><path class="line" d="${pathOf(values, top)}"/></svg></div>`;
}
