import { html } from "../../../domain/html.ts";
import type { Interval } from "../../statistics/bootstrap.ts";
import type { Figure } from "../document.ts";
import { axisOf, bottomAxis, figureOf, type SayTick, scaleOf, width } from "./frame.ts";

/** One line of the drawing: an estimate with its interval, and what it was made from. */
export interface DotRow {
  readonly name: string;
  /** The number as text. */
  readonly told: string;
  readonly value: number;
  readonly interval: Interval;
  /** Single runs. */
  readonly marks: readonly number[];
  /** Stands out less: what others are judged against. */
  readonly isQuiet: boolean;
}

const rowHeight = 36;
const side = 14;

/** Estimates below each other on one axis. `through`: a value that has a line of its own. */
export function dotRows(
  about: Pick<Figure, "id" | "title" | "description">,
  rows: readonly DotRow[],
  { say, through }: { say: SayTick; through: number | null },
): Figure {
  const values = rows.flatMap(({ value, interval, marks }) => [value, ...interval, ...marks]);
  const axis = axisOf(through === null ? values : [...values, through]);
  const x = scaleOf(axis.domain, [side, width - side]);
  const bottom = rows.length * rowHeight + 4;
  return figureOf({ ...about, height: bottom + 20 }, [
    bottomAxis(axis, x, { top: 0, bottom, say }),
    through !== null && html`<path class="zero" d="M${x(through)} 0V${bottom}"/>`,
    ...rows.map((row, at) => rowHtml(row, at * rowHeight, x)),
  ]);
}

function rowHtml(
  { name, told, value, interval: [low, high], marks, isQuiet }: DotRow,
  top: number,
  x: (value: number) => number,
) {
  const y = top + 26;
  return html`<g class="estimate${isQuiet && " quiet"}"><text class="name" x="0" y="${top + 13}">${name}</text><text class="told" x="${width}" y="${top + 13}">${told}</text><path class="interval" d="M${x(low)} ${y}H${x(high)}M${x(low)} ${y - 4}v8M${x(high)} ${y - 4}v8"/>${marks.map(
    (mark) => html`<circle class="run" cx="${x(mark)}" cy="${y}" r="2.5"/>`,
  )}<circle class="mean" cx="${x(value)}" cy="${y}" r="4.5"/></g>`;
}
