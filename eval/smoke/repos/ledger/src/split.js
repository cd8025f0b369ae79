/** Splits an amount of cents into `parts` whole amounts that differ by one cent at most. */
export function split(cents, parts) {
  if (!Number.isInteger(cents)) throw new RangeError(`${cents} is no amount of whole cents`);
  if (!Number.isInteger(parts) || parts < 1) throw new RangeError(`cannot make ${parts} parts`);
  return Array.from({ length: parts }, () => Math.floor(cents / parts));
}
