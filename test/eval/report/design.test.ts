import { describe, expect, it } from "vitest";
import { RunConfig } from "../../../src/domain/config/run-config.ts";
import { designOf } from "../../../src/eval/report/design.ts";
import { planAndMemory } from "../../../src/eval/statistics/factorial-design.ts";

const on = (value: boolean) => ({ on: value });
const config = (plan: boolean, memory: boolean, grounding = true, loopHint = false) =>
  RunConfig.parse({
    planner: { on: plan, loopHint: { on: loopHint } },
    memory: on(memory),
    grounding: on(grounding),
  });

const four = {
  baseline: config(false, false),
  "plan-only": config(true, false),
  "memory-only": config(false, true),
  full: config(true, true),
};

describe("the factorial that arms make", () => {
  it("is that of plan and memory, by their switches", () => {
    expect(designOf(Object.keys(four), four)).toEqual(planAndMemory);
  });

  it("goes by the names where configurations are not known", () => {
    expect(designOf(Object.keys(four), null)).toEqual(planAndMemory);
  });

  it("does not count a switch that always goes with another", () => {
    // Arms without a plan leave the loop hint at its default, which is on.
    const arms = {
      baseline: config(false, false, true, true),
      "plan-only": config(true, false),
      "memory-only": config(false, true, true, true),
      full: config(true, true),
    };
    expect(designOf(Object.keys(arms), arms)).toEqual(planAndMemory);
  });

  it("has as many factors as switches that make all combinations", () => {
    const names = ["---", "--g", "-m-", "-mg", "p--", "p-g", "pm-", "pmg"];
    const arms = Object.fromEntries(
      names.map((name) => [
        name,
        config(name.includes("p"), name.includes("m"), name.includes("g")),
      ]),
    );
    const design = designOf(names, arms);
    expect(design?.factors).toEqual(["plan", "memory", "grounding"]);
    expect(design?.arms["p-g"]).toEqual(["plan", "grounding"]);
    expect(design?.arms["---"]).toEqual([]);
  });

  it("is found among more arms by its names, else not at all", () => {
    const more = { ...four, placebo: RunConfig.parse({ injection: { placebo: true } }) };
    expect(designOf(Object.keys(more), more)).toEqual(planAndMemory);
    const { baseline: _, ...less } = more;
    expect(designOf(Object.keys(less), less)).toBeNull();
  });
});
