import { describe, expect, it } from "vitest";
import { memoryBudget } from "../../../src/eval/batch/budget.ts";
import { describeBudget } from "../../contracts/budget.ts";

const caps = { perRunUsd: 3, totalUsd: 10 };

describeBudget("one process's", async () => {
  const budget = memoryBudget(caps);
  return { ends: [budget, budget], close: async () => {} };
});

describe("one process's budget", () => {
  it("begins with what earlier processes have spent", async () => {
    const budget = memoryBudget(
      caps,
      new Map([
        ["a", 4],
        ["b", 3.5],
      ]),
    );
    expect(await budget.admit("c", 0)).toBe("never");
    expect(await budget.admit("b", 3)).toBe("yes");
  });
});
