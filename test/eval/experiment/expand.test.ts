import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expand, jobOf, runFolder, runIdOf } from "../../../src/eval/experiment/expand.ts";
import { parseSelection } from "../../../src/eval/experiment/select.ts";

const arm = (name: string) => ({ name, from: name, settings: {} });
const experiment = {
  name: "mine",
  arms: ["baseline", "plan-only", "memory-only", "full"].map(arm),
  seeds: [1, 2, 3],
  orderSeed: 1,
};
const instances = ["a__a-1", "b__b-1", "b__b-2", "c__c-1"];
const all = parseSelection({}, experiment);
const ids = (flags: Parameters<typeof parseSelection>[0], of = instances) =>
  expand(experiment, of, parseSelection(flags, experiment)).map(({ id }) => id);

describe("the jobs of an experiment", () => {
  it("are every episode once, instance by instance in the order of the dataset", () => {
    const jobs = expand(experiment, instances, all);
    expect(jobs).toHaveLength(4 * 4 * 3);
    expect(new Set(jobs.map(({ id }) => id))).toHaveLength(48);
    expect([...new Set(jobs.map(({ instance }) => instance))]).toEqual(instances);
    for (const [at, { instance }] of jobs.entries()) {
      expect(instance).toBe(instances[Math.floor(at / 12)]);
    }
  });

  it("have ids that say what is run and are folders below that of the experiment", () => {
    expect(jobOf("a__a-1", "full", 2)).toEqual({
      id: "full/seed-2/a__a-1",
      instance: "a__a-1",
      arm: "full",
      seed: 2,
    });
    expect(runFolder("full", 2)).toBe("full/seed-2");
    expect(runIdOf(experiment, "full", 2)).toBe("mine.full.seed-2");
  });

  it("stand in the same order at every start, in another for another seed", () => {
    const order = (orderSeed: number) => expand({ orderSeed }, instances, all).map(({ id }) => id);
    expect(order(1)).toEqual(order(1));
    expect(order(1)).not.toEqual(order(2));
    expect(order(1).slice(0, 3)).toMatchInlineSnapshot(`
      [
        "full/seed-3/a__a-1",
        "memory-only/seed-2/a__a-1",
        "memory-only/seed-3/a__a-1",
      ]
    `);
  });

  it("begin with each arm about as often", () => {
    const many = Array.from({ length: 400 }, (_, index) => `x__x-${index}`);
    const first = expand(experiment, many, all).filter((_, at) => at % 12 === 0);
    for (const { name } of experiment.arms) {
      const share = first.filter((job) => job.arm === name).length / 400;
      expect(share).toBeGreaterThan(0.18);
      expect(share).toBeLessThan(0.32);
    }
  });

  it("are, whatever is selected, a part of all jobs in the same order", () => {
    const some = <T>(items: readonly T[]) => fc.subarray([...items], { minLength: 1 });
    fc.assert(
      fc.property(some([1, 2, 3]), some(experiment.arms), fc.nat(3), (seeds, arms, from) => {
        const flags = {
          seeds: seeds.join(","),
          arms: arms.map(({ name }) => name).join(","),
          slice: `${from}:`,
        };
        const part = ids(flags);
        expect(part).toHaveLength(seeds.length * arms.length * (4 - from));
        expect(ids({}).filter((id) => part.includes(id))).toEqual(part);
      }),
    );
  });
});

describe("a selection", () => {
  const chosen = (flags: Parameters<typeof parseSelection>[0]) => [
    ...new Set(ids({ arms: "full", seeds: "1", ...flags }).map((id) => id.split("/").at(-1))),
  ];

  it.each([
    ["0:2", ["a__a-1", "b__b-1"]],
    [":1", ["a__a-1"]],
    ["3:", ["c__c-1"]],
    ["-1:", ["c__c-1"]],
    [":-2", ["a__a-1", "b__b-1"]],
    [" 1 : 99 ", ["b__b-1", "b__b-2", "c__c-1"]],
  ])("--slice %s", (slice, found) => {
    expect(chosen({ slice })).toEqual(found);
  });

  it.each([
    ["^b", ["b__b-1", "b__b-2"]],
    ["-1$", ["a__a-1", "b__b-1", "c__c-1"]],
    ["a__|c__", ["a__a-1", "c__c-1"]],
  ])("--filter %s", (filter, found) => {
    expect(chosen({ filter })).toEqual(found);
  });

  it("slices what the filter left", () => {
    expect(chosen({ filter: "b__", slice: "1:2" })).toEqual(["b__b-2"]);
  });

  it("names arms and seeds once", () => {
    expect(parseSelection({ arms: " full, full", seeds: "2,1-2" }, experiment)).toMatchObject({
      arms: ["full"],
      seeds: [2, 1],
    });
  });

  it.each([
    [
      { arms: "ful" },
      '--arms: there is no arm "ful"; there are baseline, plan-only, memory-only, full. Did you mean full?',
    ],
    [{ arms: "" }, '--arms: there is no arm ""; there are baseline'],
    [{ seeds: "4" }, "--seeds: the experiment has no seed 4; it has 1, 2, 3."],
    [{ seeds: "one" }, "--seeds one: write numbers and ranges, such as 1,3 or 1-3."],
    [{ slice: "5" }, "--slice 5: write FROM:TO, such as 0:50, 50: or :-10; TO is not included."],
    [{ slice: "0:4:2" }, "--slice 0:4:2: write FROM:TO"],
    [{ slice: "-:" }, "--slice -:: write FROM:TO"],
    [{ filter: "(" }, "--filter (: Invalid regular expression"],
    [{ slice: "9:" }, "--slice leaves none of 4 instances; they count from 0."],
    [{ filter: "z" }, "--filter z matches none of 4 instances."],
  ])("%j is refused", (flags, message) => {
    expect(() => ids(flags)).toThrow(message);
  });

  it("of no rows is refused", () => {
    expect(() => ids({}, [])).toThrow("The dataset holds no usable row.");
  });
});
