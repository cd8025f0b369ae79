import { randomIndices } from "./random.ts";
import type { BootstrapOptions } from "./resample.ts";

/** Fills in the places of draw number `time`; draws are asked for in order, from 0. */
export type Draw = (drawn: Uint32Array, time: number) => void;

/**
 * Places that are kept at most, 4 bytes each: four times 500 instances with 10,000 resamples. Our
 * choice.
 */
const mostKept = 20_000_000;

const kept = new Map<string, Uint32Array>();

/**
 * Draws of `n` places with replacement. The same options always give the same draws, and drawing
 * takes longer than adding up, so those of a report's figures over equally many instances are made
 * once.
 */
export function randomDraws(n: number, { resamples, seed }: BootstrapOptions): Draw {
  const size = n * resamples;
  if (size > mostKept) return drawing(n, seed);
  const key = `${n} ${resamples} ${seed}`;
  const places = kept.get(key) ?? placesOf(size, n, seed);
  kept.delete(key);
  makeRoom(size);
  kept.set(key, places);
  return (drawn, time) => drawn.set(places.subarray(time * n, (time + 1) * n));
}

function drawing(n: number, seed: number): Draw {
  const randomIndex = randomIndices(seed);
  return (drawn) => {
    for (let place = 0; place < drawn.length; place++) drawn[place] = randomIndex(n);
  };
}

function placesOf(size: number, n: number, seed: number): Uint32Array {
  const places = new Uint32Array(size);
  drawing(n, seed)(places, 0);
  return places;
}

/** Forgets those that were not asked for longest. */
function makeRoom(size: number): void {
  let total = [...kept.values()].reduce((sum, { length }) => sum + length, size);
  for (const [key, { length }] of kept) {
    if (total <= mostKept) return;
    kept.delete(key);
    total -= length;
  }
}
