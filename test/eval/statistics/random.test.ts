import { describe, expect, it } from "vitest";
import { randomIndices } from "../../../src/eval/statistics/random.ts";

function drawn(seed: number, below: number, times: number): readonly number[] {
  const next = randomIndices(seed);
  return Array.from({ length: times }, () => next(below));
}

describe("randomIndices", () => {
  it("draws each index about equally often, after any other", () => {
    const all = drawn(1, 8, 80_000);
    const pairs = new Map<string, number>();
    for (const [at, index] of all.entries()) {
      const key = `${all[at - 1]} ${index}`;
      if (at > 0) pairs.set(key, (pairs.get(key) ?? 0) + 1);
    }
    // 64 pairs, 1,250 of each expected, standard deviation 35.
    expect(pairs.size).toBe(64);
    for (const times of pairs.values()) expect(Math.abs(times - 1250)).toBeLessThan(175);
  });

  it("gives the same for the same seed alone", () => {
    const seeds = [0, 1, 2, -1, 2 ** 32, 2 ** 32 + 1, 2 ** 40];
    const sequences = seeds.map((seed) => drawn(seed, 2 ** 32, 4).join());
    expect(drawn(7, 500, 100)).toEqual(drawn(7, 500, 100));
    expect(new Set(sequences).size).toBe(seeds.length);
  });
});
