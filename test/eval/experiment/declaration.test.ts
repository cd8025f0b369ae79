import { describe, expect, it } from "vitest";
import { RunConfig } from "../../../src/domain/config/run-config.ts";
import { changesOf, type Declaration } from "../../../src/eval/experiment/declaration.ts";

const config = RunConfig.parse({});
const declaration: Declaration = {
  name: "mine",
  dataset: { origin: "rows.jsonl", sha256: "aa" },
  arms: { full: config, baseline: config },
  grading: { generation: "v5", timeoutSec: 1800, gold: true },
};

describe("what changed in an experiment since its results were made", () => {
  it.each<[string, Partial<Declaration>]>([
    ["nothing", {}],
    ["another place of the dataset", { dataset: { origin: "x.parquet", sha256: "aa" } }],
    ["one arm more", { arms: { ...declaration.arms, other: config } }],
    ["one arm less", { arms: { full: config } }],
    ["another seed", { arms: { full: { ...config, seed: 7 } } }],
    ["whether gold is graded", { grading: { ...declaration.grading, gold: false } }],
  ])("%s is no change", (_, change) => {
    const after: unknown = JSON.parse(JSON.stringify({ ...declaration, ...change }));
    expect(changesOf(declaration, after as Declaration)).toEqual([]);
  });

  it("is told key by key", () => {
    const full = { ...config, memory: { ...config.memory, lambda: 0.5 } };
    expect(
      changesOf(declaration, {
        ...declaration,
        name: "other",
        dataset: { origin: "rows.jsonl", sha256: "bb" },
        arms: { full: { ...full, model: { ...config.model, name: "openai:x" } } },
        grading: { ...declaration.grading, generation: "v4" },
      }),
    ).toEqual([
      'name: "mine", now "other"',
      'dataset.sha256: "aa", now "bb"',
      'arms.full.model.name: null, now "openai:x"',
      "arms.full.memory.lambda: 0.7, now 0.5",
      'grading.generation: "v5", now "v4"',
    ]);
  });

  it("names a setting that was not there", () => {
    const { seed: _, ...without } = config;
    const older = { ...declaration, arms: { full: { ...without, seed: 1 } } };
    Reflect.deleteProperty(older.arms.full, "injection");
    expect(changesOf(older, declaration)[0]).toMatch(/^arms\.full\.injection: nothing, now \{/);
  });
});
