import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mergeConfig } from "../../../src/cli/merge-config.ts";
import { settingsOfYaml } from "../../../src/cli/settings.ts";
import { jobOf } from "../../../src/eval/experiment/expand.ts";
import { modelNameOf } from "../../../src/eval/experiment/model-name.ts";
import { parseExperiment } from "../../../src/eval/experiment/parse.ts";
import { layersOf, leavesOf } from "../../../src/eval/experiment/settings.ts";

const shipped = new URL("../../../eval/arms/", import.meta.url);

describe("nested settings", () => {
  it.each([
    [{}, []],
    [{ a: 1 }, [[["a"], 1]]],
    [{ a: { b: { c: null } } }, [[["a", "b", "c"], null]]],
    [
      { a: { b: [1, { c: 2 }] } },
      [
        [
          ["a", "b"],
          [1, { c: 2 }],
        ],
      ],
    ],
    [{ a: {} }, [[["a"], {}]]],
  ])("%j are values by their keys", (tree, leaves) => {
    expect(leavesOf(tree, "x")).toEqual(
      leaves.map(([path, value]) => ({ path, value, source: "x" })),
    );
  });
});

describe("the configuration of an arm", () => {
  const experiment = parseExperiment(
    `name: mine
dataset: rows.jsonl
arms:
  - full
  - { name: cut, from: full, settings: { memory: { lambda: 1 }, agent: { stepLimit: 7 } } }
  - { name: bare, settings: { planner: { on: false }, experience: { names: [] } } }
seeds: 1
model: openai:some
environment: bubblewrap
settings: { memory: { lambda: 0.5 }, agent: { stepLimit: 9 }, planner: { on: true } }
experience: { names: [adarepair], bank: bank.db }
caps: { totalUsd: 20, perRunUsd: 1.5 }
`,
    "mine.yaml",
  );
  const configs = experiment.arms.map((arm) => {
    const { before, from, after } = layersOf(experiment, arm);
    const file = from === null ? "" : readFileSync(new URL(`${from}.yaml`, shipped), "utf8");
    return mergeConfig([...before, ...settingsOfYaml(file, "arm"), ...after]).config;
  });

  it("is the experiment's, the arm's file, then what the arm says", () => {
    expect(configs).toMatchObject([
      { arm: "full", memory: { lambda: 0.5 }, agent: { stepLimit: 9, patch: "submission" } },
      { arm: "cut", memory: { lambda: 1 }, agent: { stepLimit: 7, patch: "submission" } },
      { arm: "bare", planner: { on: false }, agent: { stepLimit: 9, patch: "extraction" } },
    ]);
  });

  it("has the experiment's model, environment and cap in every arm", () => {
    for (const { model, environment, agent } of configs) {
      expect(model.name).toBe("openai:some");
      expect(environment.kind).toBe("bubblewrap");
      expect(agent.costLimit).toBe(1.5);
    }
  });

  it("recalls from what the experiment names, unless the arm says otherwise", () => {
    expect(configs.map(({ experience }) => experience.names)).toEqual([
      ["adarepair"],
      ["adarepair"],
      [],
    ]);
    expect(configs.map(({ experience }) => experience.bank)).toEqual(Array(3).fill("bank.db"));
  });

  it("names a wrong key with the place it stands in and the nearest right one", () => {
    const arm = { name: "x", from: null, settings: { memory: { lamda: 1 } } };
    expect(() => mergeConfig(layersOf(experiment, arm).after)).toThrow(
      "mine, arm x: unknown key memory.lamda; did you mean memory.lambda?",
    );
  });
});

describe("the model of a run", () => {
  it.each([
    ["anthropic:{arm}", "anthropic:{arm}"],
    ["replay:one.jsonl", "replay:/e/one.jsonl"],
    ["replay:../r/{instance}/{arm}-{seed}.jsonl", "replay:/r/a__a-1/full-2.jsonl"],
    ["replay:/r/{instance}.traj.json.gz", "replay:/r/a__a-1.traj.json.gz"],
    ["replay:{other}", "replay:/e/{other}"],
  ])("%s", (model, found) => {
    expect(modelNameOf(model, jobOf("a__a-1", "full", 2), "/e")).toBe(found);
  });
});
