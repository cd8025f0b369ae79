/** Seconds as people say them: `30 ms`, `0.2 s`, `12 s`, `1 min 05 s`, `2 h 03 min`. */
export function duration(seconds: number): string {
  if (seconds > 0 && seconds < 0.095) return `${Math.ceil(seconds * 1000)} ms`;
  if (seconds < 9.95 && !Number.isInteger(seconds)) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const two = (value: number) => String(value).padStart(2, "0");
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

/** A count in at most three figures: `950`, `18.2k`, `1.25M`. */
export function count(value: number): string {
  if (value < 999.5) return String(Math.round(value));
  const [scaled, unit] = value < 999_500 ? [value / 1e3, "k"] : [value / 1e6, "M"];
  return `${scaled.toPrecision(3)}${unit}`;
}

/** US dollars, to the tenth of a cent below one dollar. */
export function dollars(cost: number): string {
  if (cost === 0) return "$0";
  return `$${cost.toFixed(cost < 1 ? 3 : 2)}`;
}

/** `1 step`, `2 steps`. */
export function plural(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? "" : "s"}`;
}

/** A score from 0 to 1 in two decimals, without what stands before the point: `.31`, `1.00`. */
export function score(value: number): string {
  return value.toFixed(2).replace(/^(-?)0\./, "$1.");
}

/** UTC to the second, as logs have it: `2026-11-30 14:25:01`. */
export function moment(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace("T", " ");
}
