import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Budget } from "../../src/domain/budget.ts";

export interface OpenedBudget {
  /** Two ends of one budget of $10 with runs of $3 at most, as two workers hold it. */
  readonly ends: readonly [Budget, Budget];
  close(): Promise<void>;
}

/** What every budget keeps to. `open` gives an empty one. */
export function describeBudget(name: string, open: () => Promise<OpenedBudget>): void {
  describe(`${name} as a budget`, () => {
    let opened: OpenedBudget;
    let one: Budget;
    let other: Budget;
    beforeEach(async () => {
      opened = await open();
      [one, other] = opened.ends;
    });
    afterEach(() => opened.close());

    it("reserves what a run may cost, and gives back what it did not", async () => {
      expect(await one.admit("a", 0)).toBe("yes");
      expect(await other.admit("b", 0)).toBe("yes");
      expect(await one.admit("c", 0)).toBe("yes");
      expect(await other.admit("d", 0)).toBe("wait");
      await one.settle("a", 0.5);
      expect(await other.admit("d", 0)).toBe("yes");
    });

    it("never admits what nothing can come back for", async () => {
      for (const job of ["a", "b"]) {
        await one.admit(job, 0);
        await one.settle(job, 4);
      }
      expect(await other.admit("c", 0)).toBe("never");
      expect(await other.admit("c", 0)).toBe("never");
    });

    it("says what it would answer, and reserves nothing by that", async () => {
      expect(await one.outlook()).toBe("yes");
      await one.settle("a", 4);
      await one.admit("b", 0);
      expect([await one.outlook(), await other.outlook()]).toEqual(["yes", "yes"]);
      await other.admit("c", 0);
      expect(await one.outlook()).toBe("wait");
      await one.settle("b", 3);
      await one.settle("c", 1);
      expect(await other.outlook()).toBe("never");
    });

    it("counts what a job's earlier runs have spent, and no reservation of its own twice", async () => {
      expect(await one.admit("a", 7)).toBe("yes");
      expect(await other.admit("a", 7)).toBe("yes");
      expect(await other.admit("b", 0)).toBe("wait");
      expect(await other.admit("a", 7.5)).toBe("never");
    });

    it("admits one of two who ask at once for the last of the money", async () => {
      await one.settle("before", 6);
      const admissions = await Promise.all([one.admit("a", 0), other.admit("b", 0)]);
      expect([...admissions].sort()).toEqual(["wait", "yes"]);
    });

    it("never lets reservations and spending pass the cap", async () => {
      const property = fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const own = await open();
        for (const total of await totalsOf(steps, own))
          expect(total).toBeLessThanOrEqual(10 + 1e-9);
        await own.close();
      });
      await fc.assert(property, { numRuns: 10 });
    });
  });
}

/** A job that does not run asks to; one that runs ends with this cost. */
const step = fc.record({
  job: fc.constantFrom("a", "b", "c", "d", "e"),
  cost: fc.double({ min: 0, max: 3, noNaN: true }),
  isFirst: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What is spent and reserved together, after each step. */
async function totalsOf(
  steps: readonly Step[],
  { ends }: OpenedBudget,
): Promise<readonly number[]> {
  const spent = new Map<string, number>();
  const running = new Set<string>();
  const totals: number[] = [];
  for (const { job, cost, isFirst } of steps) {
    const end = ends[isFirst ? 0 : 1];
    const before = spent.get(job) ?? 0;
    if (running.delete(job)) {
      spent.set(job, before + cost);
      await end.settle(job, before + cost);
    } else if ((await end.admit(job, before)) === "yes") running.add(job);
    totals.push([...spent.values()].reduce((sum, each) => sum + each, 3 * running.size));
  }
  return totals;
}
