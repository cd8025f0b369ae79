import type { EpisodeResult } from "../../../src/eval/batch/episode-result.ts";
import { randomIndices } from "../../../src/eval/statistics/random.ts";
import { difficulties } from "../../../src/eval/statistics/strata.ts";
import { resultOf } from "./report-source.ts";

const projects = ["sympy__sympy", "django__django", "scikit-learn__scikit-learn"];
const lift: Readonly<Record<string, number>> = { baseline: 0, "plan-only": 0.02, full: 0.08 };

/** Results of every kind that a run can leave, the same each time. */
export function richResults(
  instances: number,
  arms: readonly string[],
  seeds: number,
): readonly EpisodeResult[] {
  const random = randomIndices(7);
  const chance = () => random(1_000_000) / 1_000_000;
  return Array.from({ length: instances }, (_, at) => {
    const instance = `${projects[at % projects.length]}-${10_000 + 7 * at}`;
    const difficulty = difficulties[random(difficulties.length)] ?? null;
    const [ease, hasScript] = [chance(), chance() < 0.4];
    return arms.flatMap((arm) =>
      Array.from({ length: seeds }, (_, run) => {
        const resolved = ease + 0.3 * (chance() - 0.5) + (lift[arm] ?? 0.04) > 0.7;
        const about = { instance, arm, seed: run + 1, difficulty };
        return richResult(about, { resolved, hasScript, chance, random });
      }),
    );
  }).flat();
}

interface Dice {
  readonly resolved: boolean;
  readonly hasScript: boolean;
  readonly chance: () => number;
  readonly random: (below: number) => number;
}

function richResult(
  about: Pick<EpisodeResult, "instance" | "arm" | "seed" | "difficulty">,
  { resolved, hasScript, chance, random }: Dice,
): EpisodeResult {
  const turns = 25 + random(50);
  const cost = 0.1 + turns * 0.01;
  const passes = chance() < (resolved ? 0.9 : 0.3);
  const result = resultOf({
    ...about,
    resolved,
    status: chance() < 0.05 ? "step_limit" : "submitted",
    cost,
    spent: cost,
    steps: turns,
    calls: { act: turns, other: 0 },
    signature: {
      turns,
      failedRecurrence: chance() * 0.02,
      gaveUp: chance() < 0.05,
      contextExhausted: chance() < 0.05,
      recoveries: random(6),
    },
    peeks: chance() < 0.02 ? 1 : 0,
    image: { name: `image/${about.instance}`, id: `sha256:${about.instance}`, digest: null },
    ...(hasPlan(about.arm) ? planned(turns, random) : {}),
    ...(hasPlan(about.arm) && hasScript ? { armed: true, verdict: passes ? "pass" : "fail" } : {}),
  });
  const fate = chance();
  if (fate < 0.01) return { ...result, ...lost };
  return fate > 0.99 ? { ...result, resolved: null } : result;
}

const hasPlan = (arm: string) => arm !== "baseline" && arm !== "memory-only";

function planned(turns: number, random: Dice["random"]): Partial<EpisodeResult> {
  return {
    phases: [
      { phase: "explore", steps: Math.ceil(turns / 2) },
      { phase: "implement", steps: Math.floor(turns / 2) },
    ],
    backtracks: random(3),
    injected: { blocks: 11, tokens: 2600 },
  };
}

/** What an episode is that the infrastructure failed too often. */
const lost = {
  resolved: null,
  givenUp: true,
  status: "environment_lost",
  failures: 3,
  attempts: 3,
  signature: null,
} as const;
