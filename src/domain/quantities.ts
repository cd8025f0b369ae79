/** Seconds as people say them: `0.2 s`, `12 s`, `1 min 05 s`, `2 h 03 min`. */
export function duration(seconds: number): string {
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

/** US dollars, to the tenth of a cent below one dollar; null is an unknown price. */
export function dollars(cost: number | null): string {
  if (cost === null) return "cost unknown";
  return `$${cost.toFixed(cost < 1 ? 3 : 2)}`;
}

/** Bytes in decimal units: `950 B`, `18.2 kB`. */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const power = Math.min(Math.floor(Math.log10(value) / 3), 4);
  const unit = ["B", "kB", "MB", "GB", "TB"][power];
  return `${(value / 1000 ** power).toFixed(1)} ${unit}`;
}

/** `1 file`, `2 files`. */
export function plural(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? "" : "s"}`;
}
