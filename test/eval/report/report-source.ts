import { RunConfig } from "../../../src/domain/config/run-config.ts";
import type { EpisodeResult } from "../../../src/eval/batch/episode-result.ts";
import { jobOf } from "../../../src/eval/experiment/expand.ts";
import { Experiment } from "../../../src/eval/experiment/experiment.ts";
import type { ReportSource } from "../../../src/eval/report/source.ts";

/** What a test says of a result; the rest is that of an ordinary episode. */
export type ResultFields = Partial<EpisodeResult> &
  Pick<EpisodeResult, "instance" | "arm" | "seed" | "resolved">;

export function resultOf({ instance, arm, seed, ...fields }: ResultFields): EpisodeResult {
  return {
    job: jobOf(instance, arm, seed).id,
    instance,
    arm,
    seed,
    run: `demo-${arm}-${seed}-${instance}`,
    model: "replay:tests",
    environment: "local",
    status: "submitted",
    reason: "",
    givenUp: false,
    grading: { remark: null, seconds: 2 },
    cost: 0.5,
    spent: 0.5,
    tokens: { input: 400_000, cached: 350_000, output: 8000 },
    steps: 40,
    calls: { act: 40, other: 0 },
    seconds: 300,
    verdict: null,
    armed: false,
    phases: [],
    backtracks: 0,
    injected: null,
    patch: { bytes: 400, files: ["a.py"], applies: true, source: "submission" },
    signature: {
      turns: 40,
      failedRecurrence: 0.01,
      gaveUp: false,
      contextExhausted: false,
      recoveries: 3,
    },
    peeks: 0,
    difficulty: null,
    image: null,
    attempts: 1,
    failures: 0,
    rebuilt: false,
    began: "2026-03-01T10:00:00.000Z",
    ended: "2026-03-01T12:30:00.000Z",
    host: "here",
    ...fields,
  };
}

const switches: Readonly<Record<string, { planner: boolean; memory: boolean }>> = {
  baseline: { planner: false, memory: false },
  "plan-only": { planner: true, memory: false },
  "memory-only": { planner: false, memory: true },
};

function configOf(arm: string) {
  const { planner, memory } = switches[arm] ?? { planner: true, memory: true };
  const model = { name: "replay:tests" };
  return RunConfig.parse({ arm, model, planner: { on: planner }, memory: { on: memory } });
}

/** An experiment with these results, all of which are planned; `jobs` plans more. */
export function sourceOf(
  results: readonly EpisodeResult[],
  fields: Partial<ReportSource> = {},
): ReportSource {
  const arms = [...new Set(results.map(({ arm }) => arm))];
  const experiment = Experiment.parse({
    name: "demo",
    description: "A small experiment.",
    dataset: "rows.jsonl",
    arms,
    seeds: [...new Set(results.map(({ seed }) => seed))],
    caps: { totalUsd: 10 },
  });
  return {
    folder: "results/demo",
    version: "0.1.0",
    created: "2026-03-01T09:59:00.000Z",
    workshop: {
      node: "v20.19.0",
      platform: "linux x64",
      engine: null,
      grader: "pmcoder 0.1.0, rules of v5",
      rows: 500,
      leftOut: 0,
    },
    experiment,
    declaration: {
      name: "demo",
      dataset: { origin: "rows.jsonl", sha256: "0".repeat(64) },
      arms: Object.fromEntries(arms.map((arm) => [arm, configOf(arm)])),
      grading: experiment.grading,
    },
    jobs: results.map(({ job }) => job),
    results,
    sha256: "f".repeat(64),
    gold: [],
    peeks: new Map(),
    ...fields,
  };
}
