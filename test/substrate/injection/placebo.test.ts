import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noBlockYet } from "../../../src/substrate/injection/firing.ts";
import { inject } from "../../../src/substrate/injection/inject.ts";
import { placeboLines, randomAt } from "../../../src/substrate/injection/placebo.ts";
import { tokensOf } from "../../../src/substrate/memory/text.ts";
import { blocks, config, offer, plan, recalling } from "./offers.ts";

const eligible = [3, 4, 5].map((id) => ({
  id,
  label: `f${id}.py`,
  view: Array.from({ length: 40 }, (_, line) => `node ${id} line ${line}`).join("\n"),
}));
const seed = { seed: 1, step: 7 };

describe("placeboLines", () => {
  it("are as many, as long, and made of lines of eligible nodes", () => {
    const real = ["mem #9 a.py: short", `mem #8 b.py: ${"x".repeat(600)}`];
    const lines = placeboLines(real, eligible, seed);
    expect(lines.map(({ length }) => length)).toEqual(real.map(({ length }) => length));
    expect(lines[1]).toMatch(/^mem #(\d) f\1\.py: node \1 line \d+\n\| node \1 line \d+/);
  });

  it("depend on seed, step and place, and on nothing else", () => {
    const real = ["x".repeat(200), "x".repeat(200)];
    const lines = placeboLines(real, eligible, seed);
    expect(placeboLines(real, eligible, seed)).toEqual(lines);
    expect(placeboLines(real, eligible, { ...seed, seed: 2 })).not.toEqual(lines);
    expect(placeboLines(real, eligible, { ...seed, step: 8 })).not.toEqual(lines);
    expect(lines[0]).not.toBe(lines[1]);
  });

  it("are blank where there is nothing to draw from", () => {
    const empty = { id: 1, label: "a.py", view: "\n \n" };
    expect(placeboLines(["12345678"], [], seed)).toEqual(["        "]);
    expect(placeboLines(["mem #2 b.py: xyz"], [empty], seed)).toEqual(["mem #1 a.py:    "]);
  });

  it("keep the token count whatever the text", () => {
    const text = fc.string({ unit: "binary", maxLength: 300 });
    const nodes = fc.array(fc.record({ id: fc.nat(9), label: text, view: text }), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(text), nodes, (real, from) => {
        expect(placeboLines(real, from, seed).map(tokensOf)).toEqual(real.map(tokensOf));
      }),
    );
  });
});

describe("inject with a placebo", () => {
  const real = { config, seed: 1 };
  const placebo = { config: { ...config, placebo: true }, seed: 1 };
  const offers = [
    { step: 1, memory: { ...recalling(1, 2), eligible } },
    { step: 2, memory: { ...recalling(1, 2, 3), eligible } },
    { step: 3, signal: { ...plan, done: 1 }, memory: { ...recalling(1, 2, 3), eligible } },
  ];

  it("fires at the same steps with the same header, note and size", () => {
    const [genuine, replaced] = [blocks(offers, real), blocks(offers, placebo)];
    expect(replaced.map((block) => block?.length)).toEqual(genuine.map((block) => block?.length));
    const head = (block: string | null) =>
      block?.split("\n").filter((line) => /^(?:phase|note)/.test(line));
    expect(replaced.map(head)).toEqual(genuine.map(head));
    expect(replaced[0]).not.toBe(genuine[0]);
  });

  it("remembers the nodes that it stood in for", () => {
    const first = offer({ memory: { ...recalling(1, 2), eligible } });
    expect(inject(noBlockYet, first, placebo).state).toEqual(inject(noBlockYet, first, real).state);
  });
});

describe("randomAt", () => {
  it("spreads over the whole range", () => {
    const tenths = Array.from({ length: 10_000 }, (_, index) =>
      Math.floor(randomAt(`${index}`) * 10),
    );
    const counts = Array.from(
      { length: 10 },
      (_, tenth) => tenths.filter((t) => t === tenth).length,
    );
    expect(Math.min(...counts)).toBeGreaterThan(900);
    expect(Math.max(...counts)).toBeLessThan(1_100);
  });
});
