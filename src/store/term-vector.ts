/**
 * How often a record holds which terms, as bytes: for each term, ascending by its number, the
 * distance from the one before and how often, both in base 128, low digits first, the last digit
 * of each below 128. Numbers are below 2^31.
 */
export function encodeVector(counts: ReadonlyMap<number, number>): Uint8Array {
  const bytes: number[] = [];
  let last = 0;
  for (const [term, count] of [...counts].sort(([a], [b]) => a - b)) {
    write(bytes, term - last);
    write(bytes, count);
    last = term;
  }
  return Uint8Array.from(bytes);
}

function write(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
}

/**
 * Writes terms and their counts from place `at` on, and gives the place after them. Both need room
 * for half as many as there are bytes.
 */
export function decodeVector(
  bytes: Uint8Array,
  terms: Uint32Array,
  counts: Uint32Array,
  at: number,
): number {
  let place = at;
  let isCount = false;
  let term = 0;
  let value = 0;
  let shift = 0;
  for (let n = 0; n < bytes.length; n += 1) {
    const digit = bytes[n] ?? 0;
    value |= (digit & 127) << shift;
    shift += 7;
    if (digit >= 128) continue;
    if (isCount) {
      counts[place] = value;
      place += 1;
    } else {
      term += value;
      terms[place] = term;
    }
    isCount = !isCount;
    value = 0;
    shift = 0;
  }
  return place;
}
