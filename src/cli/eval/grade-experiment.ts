import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PmcoderError } from "../../domain/errors.ts";
import type { Grading } from "../../eval/batch/grader.ts";
import { type Dataset, readDataset } from "../../eval/dataset-file.ts";
import {
  type EpisodeJob,
  jobOf,
  jobOfId,
  runFolder,
  runIdOf,
} from "../../eval/experiment/expand.ts";
import type { Generation } from "../../eval/grading/log-parsers.ts";
import { readPredictions } from "../../eval/grading/predictions.ts";
import { openRunLocks } from "../../store/run-lock.ts";
import { systemClock } from "../compose.ts";
import type { Session } from "../session.ts";
import type { EvalGradeFlags } from "./grade-command.ts";
import { datasetAt, type GradedModel, type GradingSource, instancesOf } from "./grade-source.ts";
import { goldRunId } from "./places.ts";
import { readRecord } from "./record.ts";
import { addGold, addResult, readGold, readResults } from "./results.ts";

/**
 * The predictions of an experiment, whose results get what the grader says. Nobody else may be at
 * work on it meanwhile. Throws PmcoderError `usage`.
 */
export async function experimentSource(
  given: string,
  { dataset: moved, generation, timeout }: EvalGradeFlags,
  { io, closing }: Session,
): Promise<GradingSource> {
  const folder = resolve(io.cwd, given);
  const { experiment, declaration, dataset: place, jobs: ids } = readRecord(folder);
  const locks = openRunLocks(join(folder, "locks"), systemClock);
  const lock = await locks.acquire(`experiment ${experiment.name}`);
  closing.add(() => lock.release());
  const { origin, sha256 } = declaration.dataset;
  const dataset = await (moved === undefined ? readDataset(place, origin) : datasetAt(moved, io));
  refuseOther(dataset, sha256, given);
  const jobs = ids.map(jobOfId);
  const runs = new Map(jobs.map((job) => [runIdOf(experiment, job.arm, job.seed), job]));
  const wanted = new Set(jobs.map(({ instance }) => instance));
  const usual = experiment.grading.generation;
  const rules = generation ?? usual;
  return {
    folder,
    instances: await instancesOf(dataset, (id) => wanted.has(id)),
    models: [...runs].flatMap(([runId, run]) => modelOf(folder, runId, run)),
    goldRunId: goldRunId(experiment),
    generation: rules,
    timeoutSec: timeout ?? experiment.grading.timeoutSec,
    retries: experiment.retries.grading,
    ...keeping(folder, runs, (made = usual) => made === rules),
  };
}

function refuseOther({ origin, sha256 }: Dataset, expected: string, folder: string): void {
  if (sha256 === expected) return;
  throw new PmcoderError(
    "usage",
    `${origin} has other rows than those that ${folder} was made with; name the file with those by --dataset.`,
  );
}

/** Nothing where the arm and seed have no prediction yet. */
function modelOf(folder: string, runId: string, { arm, seed }: EpisodeJob): readonly GradedModel[] {
  const file = join(folder, runFolder(arm, seed), "preds.json");
  if (!existsSync(file)) return [];
  return [{ runId, model: runId, predictions: readPredictions(readFileSync(file, "utf8"), file) }];
}

/**
 * A line is added only where something has changed, and no verdict gives way to none. Where no test
 * was run, in 0 seconds, the time that was measured before stays. Other hosts keep the logs of what
 * they graded.
 */
function keeping(
  folder: string,
  runs: ReadonlyMap<string, EpisodeJob>,
  isWanted: (generation?: Generation) => boolean,
): Pick<GradingSource, "known" | "keep" | "keepGold"> {
  const results = new Map(readResults(folder));
  const golds = new Map(readGold(folder));
  const resultOf = ({ runId }: GradedModel, instance: string) => {
    const run = runs.get(runId);
    return run && results.get(jobOf(instance, run.arm, run.seed).id);
  };
  return {
    known: (model, instance) => {
      const { resolved = null, grading = null } = resultOf(model, instance) ?? {};
      if (resolved === null || grading === null || !isWanted(grading.generation)) return null;
      return { resolved, ...grading };
    },
    keep: (model, instance, { resolved, ...about }) => {
      const result = resultOf(model, instance);
      if (!result || (resolved === null && result.resolved !== null)) return;
      if (isSame({ resolved, ...about }, { resolved: result.resolved, ...result.grading })) return;
      const seconds = about.seconds || (result.grading?.seconds ?? 0);
      const graded = { ...result, resolved, grading: { ...about, seconds } };
      addResult(folder, graded);
      results.set(graded.job, graded);
    },
    keepGold: (instance, { resolved, remark, seconds: took, grader, generation }) => {
      const known = golds.get(instance);
      if (resolved === null && known) return;
      const seconds = took || (known?.seconds ?? 0);
      const gold = { instance, resolved, remark, seconds, grader, generation };
      if (known && isSame(gold, known)) return;
      addGold(folder, gold);
      golds.set(instance, gold);
    },
  };
}

/** But for the time that it took. */
function isSame(
  one: Grading,
  other: { readonly [Field in keyof Grading]?: Grading[Field] | undefined },
): boolean {
  const fields = ["resolved", "remark", "grader", "generation"] as const;
  return fields.every((field) => one[field] === other[field]);
}
