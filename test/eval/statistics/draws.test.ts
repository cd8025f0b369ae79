import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomDraws } from "../../../src/eval/statistics/draws.ts";
import { randomIndices } from "../../../src/eval/statistics/random.ts";

/** Draws as they would be made without keeping any. */
function drawnPlainly(n: number, resamples: number, seed: number): readonly number[] {
  const next = randomIndices(seed);
  return Array.from({ length: n * resamples }, () => next(n));
}

function drawnBy(n: number, resamples: number, seed: number): readonly number[] {
  const draw = randomDraws(n, { resamples, seed });
  const drawn = new Uint32Array(n);
  return Array.from({ length: resamples }, (_, time) => {
    draw(drawn, time);
    return [...drawn];
  }).flat();
}

describe("kept draws", () => {
  it("are those of the generator, the first time and again", () => {
    const sizes = fc.record({
      n: fc.integer({ min: 1, max: 40 }),
      resamples: fc.integer({ min: 1, max: 60 }),
      seed: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(sizes, ({ n, resamples, seed }) => {
        const plain = drawnPlainly(n, resamples, seed);
        expect(drawnBy(n, resamples, seed)).toEqual(plain);
        expect(drawnBy(n, resamples, seed)).toEqual(plain);
      }),
    );
  });

  it("are the same where there are too many to keep", () => {
    const [n, resamples] = [21_000, 1_000];
    const draw = randomDraws(n, { resamples, seed: 5 });
    const drawn = new Uint32Array(n);
    draw(drawn, 0);
    draw(drawn, 1);
    expect([...drawn]).toEqual(drawnPlainly(n, 2, 5).slice(n));
  });

  it("are made anew after they were forgotten", () => {
    const before = drawnBy(50, 20, 9);
    for (let seed = 1; seed <= 5; seed++) randomDraws(5_000, { resamples: 1_000, seed });
    expect(drawnBy(50, 20, 9)).toEqual(before);
  });
});
