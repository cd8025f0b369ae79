import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { GradedRow } from "../../../src/eval/grading/grade.ts";
import type { InstanceReport } from "../../../src/eval/grading/instance-report.ts";
import type { Prediction } from "../../../src/eval/grading/predictions.ts";
import { capable } from "../../capabilities.ts";

const peers = process.env["PMCODER_PEERS"] ?? "";
const python = join(peers, "bin", "python");
/** SWE-bench 4.1.0, installed with `pip install --no-deps --target` beside the venv's 5.0.2. */
const v4Folder = join(peers, "swebench-4.1.0");

/** A venv with both generations of the official package. */
export const hasOfficial = capable("peers", () =>
  [python, join(peers, "bin", "swebench"), join(v4Folder, "swebench")].every(existsSync),
);

export type OfficialGeneration = "v4" | "v5";

export interface LoggedCase {
  readonly log: string;
  readonly row: GradedRow;
}

interface OfficialRun {
  readonly run_id: string;
  readonly instance_ids: readonly string[];
  readonly predictions: readonly Prediction[];
  /** By instance, then by file name. */
  readonly files: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface Request {
  readonly logs?: readonly LoggedCase[];
  readonly runs?: readonly OfficialRun[];
  readonly rows?: readonly object[];
}

interface Answer {
  /** null: the official function raised an IndexError. */
  readonly graded: readonly {
    readonly statuses: readonly (readonly [name: string, status: string])[] | null;
    readonly report: Readonly<Record<string, InstanceReport>> | null;
  }[];
  readonly runs: readonly { readonly name: string; readonly report: object }[];
  readonly scripts: readonly string[];
}

/** One process for the whole request: the package takes seconds to import. */
export function official(generation: OfficialGeneration, request: Request): Answer {
  const folder = generation === "v4" ? [v4Folder] : [];
  const answer = execFileSync(python, [resolve(import.meta.dirname, "official.py"), ...folder], {
    input: JSON.stringify(request),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["pipe", "pipe", "pipe"],
  });
  return JSON.parse(answer) as Answer;
}
