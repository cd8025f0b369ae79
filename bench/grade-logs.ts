import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { type GradedRow, grade } from "../src/eval/grading/grade.ts";
import { instanceReport } from "../src/eval/grading/instance-report.ts";
import { logParsers, parserOf } from "../src/eval/grading/log-parsers.ts";
import { against, type Benchmark } from "./figure.ts";

const run = promisify(execFile);
const rounds = 7;

/** The stored logs, marked as today's are, each with a row that expects every test it tells of. */
function prepare(logs: string, folder: string): readonly GradedRow[] {
  return readdirSync(logs).map((file) => {
    const instance_id = file.slice(0, file.indexOf("."));
    const repo = instance_id.replace(/-\d+$/, "").replace("__", "/");
    const text = gunzipSync(readFileSync(join(logs, file))).toString();
    const marked = `>>>>> Start Test Output\n${text.replaceAll(">>>>> Tests", "")}\n>>>>> End Test Output\n`;
    writeFileSync(join(folder, `${instance_id}.log`), marked);
    const parser = parserOf({ instance_id, repo, log_parser: null });
    const tests = [...(logParsers.v5[parser](marked)?.statuses.keys() ?? [])];
    return {
      instance_id,
      repo,
      log_parser: `parse_log_${parser}`,
      eval_type: "pass_and_fail",
      FAIL_TO_PASS: tests.slice(0, 2),
      PASS_TO_PASS: tests.slice(2),
    };
  });
}

function logsPerSecond(rows: readonly GradedRow[], folder: string): number {
  const startedAt = performance.now();
  for (const row of rows) {
    const log = readFileSync(join(folder, `${row.instance_id}.log`), "utf8");
    instanceReport(grade(log, row, "v5"));
  }
  return rows.length / ((performance.now() - startedAt) / 1000);
}

/** Stored logs graded a second under the rules of v5, beside the official package, in turn. */
export const gradeLogs: Benchmark = async () => {
  const skip = (skipped: string) => [{ figure: "grade_logs", skipped }];
  const logs = join(process.env["PMCODER_DATA"] ?? "", "eval-logs");
  if (!process.env["PMCODER_DATA"] || !existsSync(logs)) {
    return skip("PMCODER_DATA names no folder with eval-logs");
  }
  const bin = join(process.env["PMCODER_PEERS"] ?? "", "bin");
  if (!process.env["PMCODER_PEERS"] || !existsSync(join(bin, "swebench"))) {
    return skip("PMCODER_PEERS names no venv with swebench");
  }
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-bench-"));
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    const rows = prepare(logs, folder);
    const rowsFile = join(folder, "rows.json");
    writeFileSync(rowsFile, JSON.stringify(rows));
    for (let round = 0; round < rounds; round += 1) {
      ours.push(logsPerSecond(rows, folder));
      const script = resolve("bench/peers/grade_logs.py");
      const { stdout } = await run(join(bin, "python"), [script, rowsFile, folder]);
      theirs.push(Number(stdout.trim()));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const peer = { name: "swebench 5.0.2", values: theirs };
  const figure = against("grade_logs", "logs/s", ours, peer, 1);
  return [{ ...figure, goal: "ratio >= 1", met: (figure.ratio ?? 0) >= 1 }];
};
