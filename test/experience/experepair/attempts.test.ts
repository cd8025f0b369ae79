import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Attempt,
  corrections,
  pairAttempts,
} from "../../../src/experience/experepair/attempts.ts";

/** A log of attempts named 1, 2, …, from whether each worked. */
function logOf(results: readonly boolean[]): readonly (Attempt & { readonly name: string })[] {
  return results.map((worked, at) => ({
    name: String(at + 1),
    before: at === 0 ? "" : String(at),
    beforeWorked: at === 0 ? null : (results[at - 1] ?? null),
    worked,
  }));
}

const shown = (pairs: ReturnType<typeof pairAttempts<ReturnType<typeof logOf>[number]>>) =>
  pairs.map(({ from, to }) => `${from.before || "first"}→${to.name}`);

describe("pairAttempts", () => {
  it.each([
    ["no, no, yes", [false, false, true], ["first→3", "1→3", "2→3"]],
    ["no, no", [false, false], []],
    ["yes", [true], ["first→1"]],
    ["yes, no, yes: what worked is not corrected", [true, false, true], ["first→1", "2→3"]],
    ["nothing", [], []],
  ])("%s", (_, results, pairs) => {
    expect(shown(pairAttempts(logOf(results)))).toEqual(pairs);
  });

  it("ends every pair with an attempt that worked, at or after its beginning", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), (results) => {
        const log = logOf(results);
        for (const { from, to } of pairAttempts(log)) {
          expect(to.worked).toBe(true);
          expect(log.indexOf(to)).toBeGreaterThanOrEqual(log.indexOf(from));
        }
      }),
    );
  });
});

describe("corrections", () => {
  it("leaves out what had nothing before it", () => {
    expect(shown(corrections(logOf([false, false, true])))).toEqual(["1→3", "2→3"]);
  });
});
