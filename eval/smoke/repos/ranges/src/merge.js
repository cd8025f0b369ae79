/** Joins ranges [from, to] that overlap or touch. The result is in ascending order. */
export function merge(ranges) {
  const merged = [];
  for (const [from, to] of [...ranges].sort()) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
