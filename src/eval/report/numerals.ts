import type { Difference, Estimate, Interval } from "../statistics/bootstrap.ts";

/** What stands where there is no number. */
export const none = "–";

/** A number with so many decimals, thousands apart, and a real minus sign: `6,000`, `−0.3`. */
export function fixed(value: number, decimals = 0): string {
  const rounded = Number(Math.abs(value).toFixed(decimals));
  const [whole = "", part] = rounded.toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  const text = part === undefined ? grouped : `${grouped}.${part}`;
  return value < 0 && rounded !== 0 ? `−${text}` : text;
}

/** A change: always with its sign, but for none. */
export function signed(value: number, decimals = 1): string {
  const text = fixed(value, decimals);
  return value > 0 && Number(value.toFixed(decimals)) !== 0 ? `+${text}` : text;
}

/** A share of one as per cent: `28.5 %`. */
export function percent(share: number, decimals = 1): string {
  return `${fixed(100 * share, decimals)} %`;
}

export function range([low, high]: Interval, say: (value: number) => string): string {
  return `${say(low)} to ${say(high)}`;
}

/** An optional number. */
export function maybe(value: number | null | undefined, say: (value: number) => string): string {
  return value === null || value === undefined ? none : say(value);
}

/** A probability of a test: `.011`, `2.5e-5`, `1.00`. */
export function probability(p: number): string {
  if (p >= 0.9995) return "1.00";
  if (p >= 0.001) return p.toFixed(3).slice(1);
  return p === 0 ? "0" : p.toExponential(1);
}

/**
 * That of a bootstrap: where none of its draws crossed zero, no more than "less than 2 / draws". Of
 * all draws that there are, which are few, as a fraction: `< 2/27`.
 */
export function bootstrapProbability({
  p,
  resamples,
  exhaustive,
}: Pick<Difference, "p" | "resamples" | "exhaustive">): string {
  if (p > 0) return probability(p);
  if (resamples <= 2) return "< 1";
  return exhaustive ? `< 2/${fixed(resamples)}` : `< ${trimmed(2 / resamples)}`;
}

const trimmed = (bound: number) =>
  bound >= 1e-6 ? bound.toFixed(6).replace(/^0/, "").replace(/0+$/, "") : bound.toExponential(0);

/** p in a sentence: `p = .011`, `p < .0002`. */
export function equals(p: string): string {
  return p.startsWith("<") ? `p ${p}` : `p = ${p}`;
}

/** A mean with its interval. */
export function withInterval(
  estimate: Pick<Estimate, "value" | "interval"> | null,
  say: (value: number) => string,
): string {
  return estimate === null ? none : `${say(estimate.value)} (${range(estimate.interval, say)})`;
}

/** US dollars, to the tenth of a cent below one dollar. */
export function dollars(cost: number): string {
  const decimals = cost !== 0 && Math.abs(cost) < 1 ? 3 : 2;
  return cost < 0 ? `−$${fixed(-cost, decimals)}` : `$${fixed(cost, decimals)}`;
}

/** `1 instance`, `2,000 instances`. */
export function plural(value: number, noun: string): string {
  return `${fixed(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Whole numbers, those in a row as one: `1–3, 7`. */
export function ranges(values: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const value of [...values].sort((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run && value === run[1] + 1) run[1] = value;
    else runs.push([value, value]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
}
