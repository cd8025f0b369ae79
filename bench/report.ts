import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeRecord } from "../src/cli/eval/record.ts";
import { writeResults } from "../src/cli/eval/results.ts";
import { sourceOf } from "../test/eval/report/report-source.ts";
import { richResults } from "../test/eval/report/rich-results.ts";
import { type Benchmark, median } from "./figure.ts";

const main = "dist/src/cli/main.js";
const rounds = 3;
/** Of the main design: 500 instances, three seeds. */
const arms = ["baseline", "plan-only", "memory-only", "full"];
/** Seconds; our choice: what one waits for without doing something else. */
const most = 10;

/** An output folder as `pmcoder eval run` leaves it; returns the number of its episodes. */
function fillFolder(folder: string): number {
  const results = richResults(500, arms, 3);
  const { experiment, declaration, jobs, created, version } = sourceOf(results);
  writeRecord(folder, {
    format: "pmcoder-experiment-1",
    key: "bench-1",
    store: "sqlite",
    dataset: join(folder, "rows.jsonl"),
    ...{ created, version, experiment },
    declaration: { ...declaration, arms: { ...declaration.arms } },
    jobs: [...jobs],
  });
  writeResults(folder, results);
  return results.length;
}

/** The whole command `pmcoder eval report` on 6,000 episodes. */
export const reportSpeed: Benchmark = async () => {
  if (!existsSync(main)) return [{ figure: "report_6000", skipped: "run `npm run build` first" }];
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-bench-report-"));
  const seconds: number[] = [];
  try {
    const episodes = fillFolder(folder);
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now();
      await promisify(execFile)(process.execPath, [main, "eval", "report", folder]);
      seconds.push((performance.now() - startedAt) / 1000);
    }
    const value = median(seconds);
    return [
      {
        figure: `report_${episodes}`,
        value,
        unit: "s",
        n: rounds,
        peer: null,
        ratio: null,
        goal: `<= ${most} s`,
        met: value <= most,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
