import { join } from "node:path";
import { RunConfig } from "../../domain/config/run-config.ts";
import type { ExperimentSpec } from "../../eval/batch/episode-spec.ts";
import type { Grader } from "../../eval/batch/grader.ts";
import type { Generation } from "../../eval/grading/log-parsers.ts";
import { type HarnessParts, harnessGrader } from "../../eval/harness/harness-grader.ts";
import { TestRunIndex } from "../../eval/harness/stored-run.ts";
import { writeWhole } from "../../store/files.ts";
import type { Io } from "../io.ts";
import { version } from "../version.ts";
import { gradingConfig, testbedsOf } from "./grade-testbeds.ts";

export interface GraderPlace {
  readonly io: Io;
  /** The folder with all results. */
  readonly folder: string;
  /** Tests may run without a sandbox: somebody has agreed to it. */
  readonly mayRunLocally: boolean;
  /** Takes a line for people. */
  readonly tell: (line: string) => void;
}

export interface GradingRules {
  readonly generation: Generation;
  readonly timeoutSec: number;
  /** Where tests run; null: the image of a row, else the safest that works. */
  readonly kind: RunConfig["environment"]["kind"];
  /** As the official harness has it: on. */
  readonly network: RunConfig["environment"]["network"];
  /** Whether a run of tests may stand for an equal one. */
  readonly reuses: boolean;
}

/** Who judges the runs of a batch as they end. */
export function openGrader(
  { generation, timeoutSec }: ExperimentSpec["grading"],
  place: GraderPlace,
): Grader {
  const usual = { kind: null, network: "on", reuses: true } as const;
  return harnessGrader(harnessParts({ generation, timeoutSec, ...usual }, place));
}

/** What the grader works with, over the places and files of this machine. */
export function harnessParts(
  { generation, timeoutSec, kind, network, reuses }: GradingRules,
  { io, folder, mayRunLocally, tell }: GraderPlace,
): HarnessParts {
  const { environment } = RunConfig.parse({});
  const config = gradingConfig({ ...environment, kind }, { timeoutSec, network });
  return {
    grader: `pmcoder ${version}`,
    generation,
    timeoutSec,
    testbedOf: testbedsOf({ config, io, results: folder, mayRunLocally, tell }),
    index: reuses ? new TestRunIndex(join(folder, "logs", "test_runs"), writeWhole) : null,
    write: writeWhole,
  };
}
