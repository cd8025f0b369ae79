import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mergeConfig } from "../../../src/cli/merge-config.ts";
import { settingsOfYaml } from "../../../src/cli/settings.ts";
import type { RunConfig } from "../../../src/domain/config/run-config.ts";
import { changesOf } from "../../../src/eval/experiment/declaration.ts";
import { expand } from "../../../src/eval/experiment/expand.ts";
import type { Experiment } from "../../../src/eval/experiment/experiment.ts";
import { parseExperiment } from "../../../src/eval/experiment/parse.ts";
import { parseSelection } from "../../../src/eval/experiment/select.ts";
import { layersOf } from "../../../src/eval/experiment/settings.ts";

const folder = new URL("../../../eval/", import.meta.url);
const read = (name: string) =>
  parseExperiment(readFileSync(new URL(`experiments/${name}`, folder), "utf8"), name);

function configsOf(experiment: Experiment): Readonly<Record<string, RunConfig>> {
  const configs = experiment.arms.map((arm) => {
    const { before, from, after } = layersOf(experiment, arm);
    const file = from === null ? "" : readFileSync(new URL(`arms/${from}.yaml`, folder), "utf8");
    return [arm.name, mergeConfig([...before, ...settingsOfYaml(file, arm.name), ...after]).config];
  });
  return Object.fromEntries(configs);
}

/** What an arm has otherwise than another, by key. */
function difference(one: RunConfig | undefined, other: RunConfig | undefined): readonly string[] {
  if (one === undefined || other === undefined) throw new Error("no such arm");
  const as = (config: RunConfig) => ({
    name: "x",
    dataset: { origin: "x", sha256: "x" },
    arms: { x: { ...config, arm: "x" } },
    grading: { generation: "v5", timeoutSec: 1, gold: true } as const,
  });
  return changesOf(as(one), as(other)).map((change) => change.replace(/^arms\.x\./, ""));
}

describe("the experiments that travel with pmcoder", () => {
  it.each(readdirSync(new URL("experiments", folder)))("%s has arms that can be run", (name) => {
    const experiment = read(name);
    const configs = configsOf(experiment);
    expect(Object.entries(configs).map(([arm, config]) => [arm, config.arm])).toEqual(
      experiment.arms.map((arm) => [arm.name, arm.name]),
    );
    for (const { model, agent } of Object.values(configs)) {
      expect(model).toMatchObject({ name: experiment.model, temperature: 0 });
      expect(agent).toMatchObject({ costLimit: 3, stepLimit: 250, patch: "submission" });
    }
  });

  it("verified-500 is four arms and three seeds: 6,000 episodes", () => {
    const experiment = read("verified-500.yaml");
    const rows = Array.from({ length: 500 }, (_, index) => `a__a-${index}`);
    expect(expand(experiment, rows, parseSelection({}, experiment))).toHaveLength(6000);
  });

  it("verified-500 crosses planner and memory", () => {
    const configs = Object.values(configsOf(read("verified-500.yaml")));
    expect(configs.map(({ arm, planner, memory }) => [arm, planner.on, memory.on])).toEqual([
      ["baseline", false, false],
      ["plan-only", true, false],
      ["memory-only", false, true],
      ["full", true, true],
    ]);
  });

  it("each ablation takes one thing from the full arm", () => {
    const { full, ...others } = configsOf(read("ablations.yaml"));
    const taken = Object.entries(others).map(([arm, config]) => [arm, difference(full, config)]);
    expect(Object.fromEntries(taken)).toEqual({
      "no-grounding": ["grounding.on: true, now false"],
      "no-integrity": ["grounding.integrity: true, now false"],
      placebo: ["injection.placebo: false, now true"],
      "no-phase-retrieval": ["couplings.phaseRetrieval: true, now false"],
      "no-subtask-retrieval": ["couplings.subtaskRetrieval: true, now false"],
      "no-stats-plan": ["couplings.statsPlan: true, now false"],
      "no-verdict-plan": ["couplings.verdictPlan: true, now false"],
    });
  });

  it("each arm of adarepair and experepair takes or changes one thing", () => {
    const told = (name: string, whole: string) => {
      const configs = configsOf(read(name));
      const others = Object.entries(configs).filter(([arm]) => arm !== whole);
      return others.flatMap(([, config]) => difference(configs[whole], config));
    };
    expect(told("adarepair.yaml", "adarepair")).toEqual([
      "experience.adarepair.car: true, now false",
      "experience.adarepair.qas: true, now false",
      "experience.adarepair.sar: true, now false",
      'experience.names: ["experepair","adarepair"], now ["experepair"]',
    ]);
    expect(told("experepair.yaml", "experepair")).toEqual([
      'experience.names: ["experepair"], now []',
      "experience.experepair.episodic: true, now false",
      "experience.experepair.semantic: true, now false",
      "experience.experepair.k: 3, now 1",
      "experience.experepair.k: 3, now 5",
      "experience.experepair.promptExamples: 3, now 5",
      "experience.experepair.okapiCompat: false, now true",
    ]);
  });

  it("each arm of swe-exp takes or changes one thing, but for those without the search", () => {
    const configs = configsOf(read("swe-exp.yaml"));
    const others = Object.entries(configs).filter(([arm]) => !/^(?:swe-exp|loop.*)$/.test(arm));
    expect(others.map(([, config]) => difference(configs["swe-exp"], config))).toEqual([
      ["experience.sweExp.comprehension: true, now false"],
      ["experience.sweExp.modification: true, now false"],
      ["workflow.sweExp.dualAgent: true, now false"],
      ["experience.sweExp.extraction: true, now false"],
      ["experience.sweExp.rerank: true, now false"],
      ...[0, 2, 3, 4].map((k) => [`experience.sweExp.k: 1, now ${k}`]),
      ...[100, 200, 300, 400].map((size) => [`experience.sweExp.bankSize: null, now ${size}`]),
      ['experience.sweExp.leakage: "strict", now "temporalSameRepo"'],
      ['experience.sweExp.leakage: "strict", now "codeCompat"'],
    ]);
    expect(difference(configs["loop"], configs["loop-without-experience"])).toEqual([
      'experience.names: ["swe-exp"], now []',
    ]);
  });

  it("each arm of repomem takes or changes one thing, from the full arm", () => {
    const { repomem, ...others } = configsOf(read("repomem.yaml"));
    expect(Object.values(others).map((config) => difference(repomem, config))).toEqual([
      ["experience.repomem.semantic: true, now false"],
      ["experience.repomem.episodic: true, now false"],
      ["experience.repomem.summarised: 200, now 50"],
      ["experience.repomem.summarised: 200, now 100"],
      ["experience.repomem.summarised: 200, now 300"],
      ["experience.repomem.summarised: 200, now 400"],
      ['experience.repomem.tokenizer: "code", now "whitespace"'],
      ["experience.repomem.window: 7000, now 1000"],
      ["experience.repomem.gate: 0, now 10000"],
      ['experience.names: ["repomem"], now []'],
    ]);
  });

  it("the full arm of the ablations is that of the main design", () => {
    const { full } = configsOf(read("ablations.yaml"));
    expect(difference(configsOf(read("verified-500.yaml"))["full"], full)).toEqual([]);
  });
});
