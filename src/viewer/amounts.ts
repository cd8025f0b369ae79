import * as quantities from "../domain/quantities.ts";

/** Seconds, in milliseconds where a tenth of a second says nothing: `30 ms`, `0.2 s`. */
export function duration(seconds: number): string {
  const isShort = seconds > 0 && seconds < 0.095;
  return isShort ? `${Math.ceil(seconds * 1000)} ms` : quantities.duration(seconds);
}

/** US dollars; what costs nothing is `$0`. */
export function dollars(cost: number): string {
  return cost === 0 ? "$0" : quantities.dollars(cost);
}

/** A score from 0 to 1 in two decimals, without what stands before the point: `.31`, `1.00`. */
export function score(value: number): string {
  return value.toFixed(2).replace(/^(-?)0\./, "$1.");
}

/** UTC to the second, as logs have it: `2026-11-30 14:25:01`. */
export function moment(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace("T", " ");
}
