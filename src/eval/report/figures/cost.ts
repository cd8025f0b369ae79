import { html } from "../../../domain/html.ts";
import type { Estimate } from "../../statistics/bootstrap.ts";
import type { Figure } from "../document.ts";
import type { EffortNumbers } from "../effort-tables.ts";
import { dollars, fixed, percent } from "../numerals.ts";
import type { ArmNumbers } from "../resolved-table.ts";
import {
  axisOf,
  bottomAxis,
  figureOf,
  leftAxis,
  percentTick,
  type Scale,
  scaleOf,
  width,
} from "./frame.ts";

const height = 270;
const plot = { left: 46, right: width - 14, top: 12, bottom: 226 };

interface Point {
  readonly arm: string;
  readonly cost: Estimate;
  readonly resolved: Estimate;
}

/** What an episode costs against what it resolves; null: no cost is known, or nothing cost anything. */
export function costFigure(
  arms: readonly ArmNumbers[],
  efforts: readonly EffortNumbers[],
  baseline: string | null,
): Figure | null {
  const points = arms.flatMap(({ arm, resolved }): readonly Point[] => {
    const cost = efforts.find((effort) => effort.arm === arm)?.cost ?? null;
    return resolved === null || cost === null ? [] : [{ arm, cost, resolved }];
  });
  if (!points.some(({ cost }) => cost.value > 0)) return null;
  const xAxis = axisOf(
    points.flatMap(({ cost }) => [cost.value, ...cost.interval]),
    4,
  );
  const yAxis = axisOf(points.flatMap(({ resolved }) => [resolved.value, ...resolved.interval]));
  const x = scaleOf(xAxis.domain, [plot.left, plot.right]);
  const y = scaleOf(yAxis.domain, [plot.bottom, plot.top]);
  const told = points.map(
    ({ arm, cost, resolved }) => `${arm} ${dollars(cost.value)}, ${percent(resolved.value)}`,
  );
  const about = {
    id: "figure-cost",
    title: "Cost of an episode against share of resolved instances",
    description: `One point an arm, with 95 % intervals both ways. ${told.join("; ")}.`,
    height,
  };
  return figureOf(about, [
    bottomAxis(xAxis, x, { ...plot, say: (value, decimals) => `$${fixed(value, decimals)}` }),
    html`<text class="axis-name" x="${plot.right}" y="${plot.bottom + 34}">US dollars an episode</text>`,
    leftAxis(yAxis, y, { ...plot, say: percentTick }),
    ...points.map((point) => pointHtml(point, x, y, point.arm === baseline)),
    ...labelsOf(points, x, y),
  ]);
}

function pointHtml({ cost, resolved }: Point, x: Scale, y: Scale, isQuiet: boolean) {
  const [left, right] = cost.interval;
  const [low, high] = resolved.interval;
  const [cx, cy] = [x(cost.value), y(resolved.value)];
  return html`<g class="estimate${isQuiet && " quiet"}"><path class="spread" d="M${x(left)} ${cy}H${x(right)}M${cx} ${y(low)}V${y(high)}"/><circle class="mean" cx="${cx}" cy="${cy}" r="4.5"/></g>`;
}

/** Half of a letter's width, on average. */
const letter = 6.2;
const lineHeight = 13;

/** Names beside their points, each moved up or down to where it touches none before it. */
function labelsOf(points: readonly Point[], x: Scale, y: Scale) {
  const placed: { readonly from: number; readonly to: number; readonly y: number }[] = [];
  return points.map(({ arm, cost, resolved }) => {
    const [cx, cy] = [x(cost.value), y(resolved.value)];
    const length = arm.length * letter;
    const isLeft = cx + 8 + length > width;
    const [from, to] = isLeft ? [cx - 8 - length, cx - 8] : [cx + 8, cx + 8 + length];
    const isFree = (line: number) =>
      placed.every((one) => one.to < from || one.from > to || Math.abs(one.y - line) >= lineHeight);
    const offsets = [-6, 14, -20, 28, -34, 42, -48, 56];
    const line = cy + (offsets.find((offset) => isFree(cy + offset)) ?? -6);
    placed.push({ from, to, y: line });
    return html`<text class="name${isLeft && " before"}" x="${isLeft ? to : from}" y="${line}">${arm}</text>`;
  });
}
