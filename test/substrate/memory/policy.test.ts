import { describe, expect, it } from "vitest";
import { basePolicy, phasePolicy } from "../../../src/substrate/memory/policy.ts";
import { config } from "./calls.ts";

describe("retrieval policy", () => {
  it.each([
    ["explore", { lambda: 0.6, wc: 0.6, wg: 0.4, beam: 4, files: 4 }],
    ["hypothesize", { lambda: 0.7, wc: 0.5, wg: 0.5, beam: 3, files: 3 }],
    ["implement", { lambda: 0.8, wc: 0.3, wg: 0.7, beam: 2, files: 2 }],
    ["verify", { lambda: 0.7, wc: 0.5, wg: 0.5, beam: 3, files: 3 }],
    ["backtrack", { lambda: 0.6, wc: 0.5, wg: 0.5, beam: 4, files: 4 }],
  ] as const)("of %s", (phase, row) => {
    expect(phasePolicy(phase, 12_000, config)).toEqual({ ...row, budget: 12_000 });
  });

  it("without a phase is the paper's base mix", () => {
    expect(basePolicy(config)).toEqual({
      budget: 16_000,
      lambda: 0.7,
      wc: 0.5,
      wg: 0.5,
      beam: 3,
      files: 2,
    });
  });

  it("can be the same in every phase, within the phase's budget", () => {
    const uniform = { ...config, uniformPolicy: true };
    expect(phasePolicy("explore", 20_000, uniform)).toEqual({
      ...basePolicy(config),
      budget: 20_000,
    });
  });
});
