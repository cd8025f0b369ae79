import { RunConfig } from "../src/domain/config/run-config.ts";
import { begin, observe } from "../src/substrate/observe.ts";
import type { ObservedStep, SubstrateState } from "../src/substrate/state.ts";
import type { Benchmark, Figure } from "./figure.ts";

const episodes = 20;
/** Calls around a place in the episode whose times count. */
const around = 10;

const files = Array.from({ length: 60 }, (_, n) => `src/part${n % 8}/module_${n}.py`);

/** What an episode does over and over: look, read, edit, try, test; outputs of 2 kB. */
export function stepAt(index: number): ObservedStep {
  const file = files[(index * 7) % files.length] ?? "";
  const commands = [
    `grep -rn "def handle_${index % 40}" src | head -20`,
    `sed -n '${index},${index + 60}p' ${file}`,
    `sed -i 's/value_${index}/value_${index + 1}/' ${file}`,
    `python repro_${index % 5}.py`,
    `python -m pytest tests/test_module_${index % 30}.py -q | tail -5`,
    `cat ${file} && git diff`,
  ];
  const line = (n: number) =>
    `    value_${n} = handle_${n % 40}(import_path, ${file.length + n})\n`;
  return {
    index,
    thought: `Let me look at handle_${index % 40} in ${file} and see what value_${index} does.`,
    command: commands[index % commands.length] ?? "true",
    output: Array.from({ length: 40 }, (_, n) => line(index + n))
      .join("")
      .slice(0, 2000),
    exitCode: index % 4 === 0 ? 1 : 0,
    timedOut: false,
  };
}

/** Milliseconds of each call of one episode. */
function timesOf(steps: number): readonly number[] {
  const config = RunConfig.parse({});
  let state: SubstrateState = begin("handle_7 returns the wrong value_12", {
    config,
    root: "/testbed",
    files,
  });
  return Array.from({ length: steps }, (_, n) => {
    const startedAt = performance.now();
    state = observe(state, stepAt(n + 1)).state;
    return performance.now() - startedAt;
  });
}

export function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.99) - 1)] ?? Number.NaN;
}

const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;

function figure(name: string, value: number, n: number, most: number, unit = "ms"): Figure {
  const goal = `<= ${most} ${unit}`;
  return { figure: name, value, unit, n, peer: null, ratio: null, goal, met: value <= most };
}

/**
 * observe() of the full arm near step 250 and near 2,000 memory nodes (two a step), and how its
 * mean cost grows from the one to the other: at most as the number of nodes does.
 */
export const observeSpeed: Benchmark = async () => {
  timesOf(100);
  const near250: number[] = [];
  for (let episode = 0; episode < episodes; episode += 1) {
    near250.push(...timesOf(250).slice(-around));
  }
  const near1000 = [timesOf(1000), timesOf(1000)].flatMap((times) => times.slice(-5 * around));
  const growth = mean(near1000) / mean(near250) / (1000 / 250);
  return [
    figure("observe_p99_250", p99(near250), near250.length, 5),
    figure("observe_p99_2000", p99(near1000), near1000.length, 50),
    figure("observe_growth", growth, near1000.length, 1, "of linear"),
  ];
};
