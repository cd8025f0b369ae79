/** Rounds after which the state no longer shows how near two seeds were. */
const warmUp = 15;

/**
 * A generator of whole numbers from 0 to `below` − 1, `below` at most 2³²: sfc32 (Doty-Humphrey,
 * PractRand), the same sequence for the same seed on every machine. Where `below` divides no power
 * of two, values differ in probability by less than `below` / 2³².
 */
export function randomIndices(seed: number): (below: number) => number {
  let a = 0;
  let b = seed | 0;
  let c = Math.floor(seed / 2 ** 32) | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < warmUp; round++) next();
  return (below) => Math.floor((next() / 2 ** 32) * below);
}
