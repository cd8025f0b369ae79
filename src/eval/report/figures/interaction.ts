import { type Html, html } from "../../../domain/html.ts";
import type { Figure } from "../document.ts";
import type { FactorialNumbers } from "../factorial-tables.ts";
import { fixed } from "../numerals.ts";
import { axisOf, figureOf, leftAxis, type Scale, scaleOf, width } from "./frame.ts";

const height = 250;
const plot = { left: 40, right: 250, top: 16, bottom: 214 };

/** Of two factors what each adds with and without the other; null for another number of factors. */
export function interactionFigure(numbers: FactorialNumbers): Figure | null {
  const [first, second] = numbers.design.factors;
  if (first === undefined || second === undefined || numbers.design.factors.length > 2) return null;
  const cell = (...on: readonly string[]) =>
    numbers.cells.find((one) => one.on.length === on.length && on.every((f) => one.on.includes(f)));
  const [neither, one, other, both] = [cell(), cell(first), cell(second), cell(first, second)];
  if (!(neither && one && other && both)) return null;
  const additive = one.mean + other.mean - neither.mean;
  const totals = numbers.cells.flatMap((each) => each.totals);
  const axis = axisOf([...totals, additive]);
  const y = scaleOf(axis.domain, [plot.bottom, plot.top]);
  const told = [
    `${first} off, ${second} off: ${fixed(neither.mean, 1)}`,
    `${first} on, ${second} off: ${fixed(one.mean, 1)}`,
    `${first} off, ${second} on: ${fixed(other.mean, 1)}`,
    `both on: ${fixed(both.mean, 1)}, where adding up would give ${fixed(additive, 1)}`,
  ];
  const about = {
    id: "figure-interaction",
    title: `Resolved instances by ${first} and ${second}`,
    description: `Two lines, parallel if the two only added up. ${told.join("; ")}.`,
    height,
  };
  return figureOf(about, [
    leftAxis(axis, y, { ...plot, say: fixed }),
    html`<g class="axis"><text x="${at.off}" y="${plot.bottom + 22}">${first} off</text><text x="${at.on}" y="${plot.bottom + 22}">${first} on</text></g>`,
    html`<path class="expected" d="M${at.off} ${y(other.mean)}L${at.on} ${y(additive)}"/>`,
    lineHtml("quiet", [neither, one], y),
    lineHtml("", [other, both], y),
    endLabels([
      { y: y(both.mean), text: `${second} on`, kind: "name" },
      { y: y(additive), text: "if they added up", kind: "expected" },
      { y: y(one.mean), text: `${second} off`, kind: "name" },
    ]),
  ]);
}

const at = { off: plot.left + 30, on: plot.right - 30 };

type Cell = FactorialNumbers["cells"][number];

function lineHtml(kind: string, [off, on]: readonly [Cell, Cell], y: Scale): Html {
  const runs = ({ totals }: Cell, x: number) =>
    totals.map((total) => html`<circle class="run" cx="${x}" cy="${y(total)}" r="2.5"/>`);
  const mean = (cell: Cell, x: number) =>
    html`<circle class="mean" cx="${x}" cy="${y(cell.mean)}" r="4.5"/>`;
  return html`<g class="estimate ${kind}"><path class="line" d="M${at.off} ${y(off.mean)}L${at.on} ${y(on.mean)}"/>${runs(off, at.off)}${runs(on, at.on)}${mean(off, at.off)}${mean(on, at.on)}</g>`;
}

interface Label {
  readonly y: number;
  readonly text: string;
  readonly kind: string;
}

/** Names at the right ends, pushed apart where they would touch. */
function endLabels(labels: readonly Label[]): Html {
  const placed: Label[] = [];
  for (const label of labels.toSorted((one, other) => one.y - other.y)) {
    const above = placed.at(-1);
    placed.push({ ...label, y: Math.max(label.y, above ? above.y + 15 : 0) });
  }
  return html`${placed.map(
    ({ y, text, kind }) =>
      html`<text class="end ${kind}" x="${Math.min(plot.right + 6, width)}" y="${y + 4}">${text}</text>`,
  )}`;
}
