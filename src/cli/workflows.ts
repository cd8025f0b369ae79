import type { Solve } from "../agent/loop.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import { experepair } from "../workflows/experepair/workflow.ts";
import { solveBy } from "../workflows/solve-by.ts";
import { sweExpSearch } from "../workflows/swe-exp/search.ts";

/** What works on the issue; undefined: the loop. */
export function solveOf({ workflow }: RunConfig): Solve | undefined {
  switch (workflow.name) {
    case "pmcoder":
      return undefined;
    case "experepair":
      return solveBy(experepair);
    case "swe-exp":
      return solveBy(sweExpSearch);
  }
}

/** A workflow plans by itself: nothing of the loop's plan and memory is at work beside it. */
export function withoutLoop(config: RunConfig): RunConfig {
  if (config.workflow.name === "pmcoder") return config;
  const { planner, memory } = config;
  return { ...config, planner: { ...planner, on: false }, memory: { ...memory, on: false } };
}
