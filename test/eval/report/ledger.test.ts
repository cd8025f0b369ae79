import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { episodesOf, states } from "../../../src/eval/report/episode.ts";
import {
  endsTable,
  infrastructureTable,
  ledgerOf,
  ledgerTable,
  readsOf,
} from "../../../src/eval/report/ledger.ts";
import { resultOf } from "./report-source.ts";

const result = (arm: string, seed: number, instance: string, fields = {}) =>
  resultOf({ arm, seed, instance, resolved: false, ...fields });

describe("planned episodes", () => {
  const jobs = ["a", "b", "c", "d", "e"].map((instance) => `full/seed-1/${instance}`);
  const results = [
    result("full", 1, "a", { resolved: true }),
    result("full", 1, "b", { status: "step_limit" }),
    result("full", 1, "c", { resolved: null }),
    result("full", 1, "d", {
      resolved: null,
      givenUp: true,
      status: "environment_lost",
      failures: 3,
      attempts: 4,
      signature: null,
    }),
    result("full", 1, "z", { resolved: true }),
  ];
  const { episodes, unplanned } = episodesOf(jobs, ["full"], results);
  const ledger = ledgerOf(episodes);

  it("are each in one state, and count as resolved only when judged so", () => {
    const told = episodes.map(({ instance, state, resolved }) => [instance, state, resolved]);
    expect(told).toEqual([
      ["a", "resolved", true],
      ["b", "unresolved", false],
      ["c", "ungraded", false],
      ["d", "given_up", false],
      ["e", "missing", false],
    ]);
  });

  it("leave out results of jobs that nobody planned, and name them", () => {
    expect(unplanned).toEqual(["full/seed-1/z"]);
  });

  it("are counted, failures of the infrastructure apart from the model's", () => {
    expect(ledgerTable(ledger).rows).toEqual([["full", "5", "1", "1", "1", "1", "1"]]);
    expect(infrastructureTable(ledger).rows).toEqual([["full", "1", "3", "1", "0"]]);
    expect(endsTable(ledger).columns.map(({ name }) => name)).toEqual([
      "arm",
      "submitted",
      "step limit",
      "environment lost",
    ]);
    expect(endsTable(ledger).rows).toEqual([["full", "2", "1", "1"]]);
  });

  it("take the later of two results for one job", () => {
    const twice = [...results, result("full", 1, "b", { resolved: true })];
    const found = episodesOf(jobs, ["full"], twice).episodes;
    expect(found.find(({ instance }) => instance === "b")?.state).toBe("resolved");
  });

  it("refuse what is no job's id", () => {
    expect(() => episodesOf(["full/1/a"], ["full"], [])).toThrow('"full/1/a" is the id of no job.');
  });

  it("are all in the ledger, whatever became of them", () => {
    const state = fc.constantFrom<Record<string, unknown> | null>(
      null,
      { resolved: true },
      { resolved: false },
      { resolved: null },
      { resolved: null, givenUp: true },
    );
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 30 }), (fates) => {
        const planned = fates.map((_, at) => `full/seed-1/i${at}`);
        const known = fates.flatMap((fate, at) =>
          fate ? [result("full", 1, `i${at}`, fate)] : [],
        );
        const [row] = ledgerOf(episodesOf(planned, ["full"], known).episodes);
        const counted = states.reduce((sum, name) => sum + (row?.states[name] ?? 0), 0);
        expect([row?.planned, counted]).toEqual([fates.length, fates.length]);
      }),
    );
  });
});

describe("what a table read", () => {
  const job = (arm: string, seed: number, instance: string) => `${arm}/seed-${seed}/${instance}`;
  const jobs = [
    ...[1, 2, 3].flatMap((seed) => ["a", "b"].map((instance) => job("baseline", seed, instance))),
    ...[1, 2, 3].flatMap((seed) => ["a", "b"].map((instance) => job("full", seed, instance))),
    ...["a", "b"].map((instance) => job("placebo", 7, instance)),
  ];
  const results = jobs.slice(1).map((id) => {
    const [arm = "", seed = "", instance = ""] = id.split("/");
    return result(arm, Number(seed.slice(5)), instance);
  });
  const ledger = ledgerOf(episodesOf(jobs, ["full", "baseline"], results).episodes);

  it("names arms with their seeds, instances, episodes and what is open", () => {
    expect(readsOf(ledger)).toBe(
      "Read: full and baseline (seeds 1–3); placebo (seed 7); 2 instances, 14 episodes, 1 of them without a verdict.",
    );
    expect(readsOf(ledger, ["full"])).toBe("Read: full (seeds 1–3); 2 instances, 6 episodes.");
  });
});
