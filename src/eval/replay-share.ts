/** `k` of `n` cases, with Wilson's 95 % interval; without a case there is no share. */
export interface Share {
  readonly k: number;
  readonly n: number;
  readonly share: number | null;
  readonly interval: readonly [low: number, high: number] | null;
}

/** The 97.5 % quantile of the normal distribution. */
const z = 1.959963984540054;

/** Wilson's score interval (J. Am. Stat. Assoc. 22, 1927): never outside 0 to 1, sound for few cases. */
export function shareOf(k: number, n: number): Share {
  if (n === 0) return { k, n, share: null, interval: null };
  const share = k / n;
  const scale = 1 + z ** 2 / n;
  const centre = (share + z ** 2 / (2 * n)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2));
  return { k, n, share, interval: [Math.max(0, centre - half), Math.min(1, centre + half)] };
}
