import { all, type Html, html, type Value } from "../../../domain/html.ts";
import type { Figure } from "../document.ts";
import { percent } from "../numerals.ts";

/** Units of a drawing's width: about a phone's, so that its texts stay readable there. */
export const width = 380;

/** A drawing with its title and description, which are also what a screen reader says. */
export function figureOf(
  about: Omit<Figure, "svg"> & { readonly height: number },
  body: readonly Value[],
): Figure {
  const { id, title, description, height } = about;
  const svg = html`<svg class="plot" viewBox="0 0 ${width} ${Math.ceil(height)}" role="img" aria-labelledby="${id}-title ${id}-description"><title id="${id}-title">${title}</title><desc id="${id}-description">${description}</desc>${all(body)}</svg>`;
  return { id, title, description, svg };
}

/** From a value to a place; places are rounded so that pages stay small. */
export type Scale = (value: number) => number;

export function scaleOf(
  domain: readonly [low: number, high: number],
  range: readonly [from: number, to: number],
): Scale {
  const span = domain[1] - domain[0] || 1;
  return (value) => place(range[0] + ((value - domain[0]) / span) * (range[1] - range[0]));
}

const place = (value: number) => Math.round(value * 100) / 100;

export interface Axis {
  readonly ticks: readonly number[];
  /** From the first tick to the last. */
  readonly domain: readonly [low: number, high: number];
  /** That ticks need to be told apart. */
  readonly decimals: number;
}

/** Round ticks that hold all values, about `count` of them; steps are 1, 2 or 5 times a power of ten. */
export function axisOf(values: readonly number[], count = 5): Axis {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const step = stepFor((high - low || Math.abs(high) || 1) / count);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return { ticks, domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1], decimals };
}

function stepFor(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5].find((one) => one * power >= rough * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** A tick as text, with as many decimals as its axis needs. */
export type SayTick = (value: number, decimals: number) => string;

export const percentTick: SayTick = (share, decimals) => percent(share, Math.max(0, decimals - 2));

/** A horizontal axis below a drawing, with lines up through it. */
export function bottomAxis(
  { ticks, decimals }: Axis,
  x: Scale,
  { top, bottom, say }: { top: number; bottom: number; say: SayTick },
): Html {
  return html`<g class="axis">${ticks.map(
    (tick) =>
      html`<path d="M${x(tick)} ${top}V${bottom}"/><text x="${x(tick)}" y="${bottom + 14}">${say(tick, decimals)}</text>`,
  )}</g>`;
}

/** A vertical axis at the left of a drawing, with lines through it. */
export function leftAxis(
  { ticks, decimals }: Axis,
  y: Scale,
  { left, right, say }: { left: number; right: number; say: SayTick },
): Html {
  return html`<g class="axis left">${ticks.map(
    (tick) =>
      html`<path d="M${left} ${y(tick)}H${right}"/><text x="${left - 6}" y="${y(tick) + 4}">${say(tick, decimals)}</text>`,
  )}</g>`;
}
