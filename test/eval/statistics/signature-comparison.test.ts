import { describe, expect, it } from "vitest";
import { meanOf } from "../../../src/eval/statistics/arm.ts";
import {
  compareSignatures,
  signatureMeasures,
} from "../../../src/eval/statistics/signature-comparison.ts";
import { pair } from "./outcome-rows.ts";

const run = (arm: string, instance: string, seed: number, fields: object) => ({
  instance,
  arm,
  seed,
  resolved: false,
  ...fields,
});

describe("compareSignatures", () => {
  it("averages each instance over its runs, then compares in pairs", () => {
    const rows = [
      run("baseline", "a", 1, { failedRecurrence: 0.2, gaveUp: true, recoveries: 1, turns: 40 }),
      run("baseline", "a", 2, { failedRecurrence: 0.4, gaveUp: false, recoveries: 1, turns: 60 }),
      run("baseline", "b", 1, { failedRecurrence: 0.1, gaveUp: true, recoveries: 2, turns: 30 }),
      run("full", "a", 1, { failedRecurrence: 0.1, gaveUp: false, recoveries: 2, turns: 55 }),
      run("full", "b", 1, { failedRecurrence: null, gaveUp: false, recoveries: 4, turns: 35 }),
    ];
    const found = compareSignatures(rows, pair);
    expect(found.failedRecurrence).toMatchObject({ unpaired: ["b"], difference: { n: 1 } });
    expect(found.failedRecurrence?.ratio.value).toBeCloseTo(1 / 3, 12);
    expect(found.gaveUp).toMatchObject({ baseline: 0.75, treatment: 0, ratio: { value: 0 } });
    expect(found.recoveries).toMatchObject({ ratio: { value: 2, interval: [2, 2] } });
    expect(found.turns).toMatchObject({ baseline: 40, treatment: 45 });
    expect(found.turns?.difference.interval).toEqual([5, 5]);
    expect(found.contextExhausted).toBeNull();
    expect(meanOf(rows, "baseline", signatureMeasures.gaveUp)).toMatchObject({ n: 2, value: 0.75 });
  });
});
