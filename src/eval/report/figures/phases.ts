import { type Html, html } from "../../../domain/html.ts";
import { phases } from "../../../domain/phase.ts";
import type { Figure } from "../document.ts";
import { fixed } from "../numerals.ts";
import type { PhaseNumbers } from "../phase-table.ts";
import { axisOf, bottomAxis, figureOf, type Scale, scaleOf, width } from "./frame.ts";

const rowHeight = 44;
const legend = 24;
const side = 14;

/** Steps of an episode by phase, and how often it turned back and recovered; null: no steps known. */
export function phasesFigure(arms: readonly PhaseNumbers[]): Figure | null {
  const known = arms.filter(({ turns }) => turns !== null);
  if (known.length === 0) return null;
  const longest = known.map((arm) => Math.max(arm.turns ?? 0, inPhases(arm)));
  const axis = axisOf([0, ...longest]);
  const x = scaleOf(axis.domain, [0, width - side]);
  const bottom = legend + known.length * rowHeight;
  const about = {
    id: "figure-phases",
    title: "Steps by phase, and recoveries, per episode",
    description: `A bar an arm, as long as its episodes have steps. ${known.map(toldOf).join("; ")}.`,
    height: bottom + 20,
  };
  return figureOf(about, [
    legendHtml(),
    bottomAxis(axis, x, { top: legend, bottom, say: fixed }),
    ...known.map((arm, at) => rowHtml(arm, legend + at * rowHeight, x)),
  ]);
}

const inPhases = ({ steps }: PhaseNumbers) =>
  phases.reduce((sum, phase) => sum + (steps[phase] ?? 0), 0);

const hasPlan = ({ steps }: PhaseNumbers) => phases.some((phase) => steps[phase] !== null);

function countsOf({ backtracks, recoveries }: PhaseNumbers): string {
  const parts = [
    backtracks && `${fixed(backtracks.value, 2)} backtracks`,
    recoveries && `${fixed(recoveries.value, 2)} recoveries`,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

function toldOf(arm: PhaseNumbers): string {
  const steps = hasPlan(arm)
    ? phases.map((phase) => `${phase} ${fixed(arm.steps[phase] ?? 0, 1)}`).join(", ")
    : `${fixed(arm.turns ?? 0, 1)} steps, no plan`;
  return `${arm.arm}: ${steps}; ${countsOf(arm)}`;
}

function legendHtml(): Html {
  return html`<g class="legend">${phases.map(
    (phase, at) =>
      html`<rect class="${phase}" x="${at * 92}" y="3" width="10" height="10" rx="2"/><text x="${at * 92 + 14}" y="12">${phase}</text>`,
  )}</g>`;
}

function rowHtml(arm: PhaseNumbers, top: number, x: Scale): Html {
  const y = top + 20;
  const text = html`<text class="name" x="0" y="${top + 14}">${arm.arm}</text><text class="told" x="${width}" y="${top + 14}">${countsOf(arm)}</text>`;
  if (!hasPlan(arm)) {
    return html`${text}<rect class="unplanned" x="0" y="${y}" width="${x(arm.turns ?? 0)}" height="14"/>`;
  }
  let from = 0;
  const bars = phases.map((phase) => {
    const to = from + (arm.steps[phase] ?? 0);
    const bar = html`<rect class="${phase}" x="${x(from)}" y="${y}" width="${Math.max(0, x(to) - x(from))}" height="14"/>`;
    from = to;
    return bar;
  });
  return html`${text}<g class="bars">${bars}</g>`;
}
