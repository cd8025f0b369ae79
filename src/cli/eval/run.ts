import { join, resolve } from "node:path";
import { PmcoderError } from "../../domain/errors.ts";
import type { ExperimentSpec } from "../../eval/batch/episode-spec.ts";
import { openRunLocks } from "../../store/run-lock.ts";
import { systemClock } from "../compose.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { inSession, type Session } from "../session.ts";
import { isLeft, performBatch } from "./batch.ts";
import type { EvalRunFlags } from "./command.ts";
import { askToStart } from "./consent.ts";
import { forecastFor, forecastLines } from "./forecast.ts";
import { type ExperimentPlan, planExperiment } from "./plan.ts";
import { preflight, writePrompts } from "./preflight.ts";
import { recordFor, writeRecord } from "./record.ts";
import { readResults } from "./results.ts";
import { type Survey, surveyJobs } from "./survey.ts";
import { venueFinder } from "./venue.ts";

/** `pmcoder eval run`: an experiment, from its file to results on disk. Returns the exit status. */
export async function runEval(file: string, flags: EvalRunFlags, io: Io): Promise<ExitCode> {
  if (flags.workers === 0 && flags.store === undefined) {
    throw new PmcoderError(
      "usage",
      "--workers 0 leaves all jobs to workers on other hosts: name what they share with --store.",
    );
  }
  const plan = await planExperiment(file, flags, io);
  return inSession(io, (session) => startOrGoOn(plan, flags, session));
}

/** The forecast comes first; nothing of the experiment is written before it is agreed to. */
async function startOrGoOn(
  plan: ExperimentPlan,
  flags: EvalRunFlags,
  session: Session,
): Promise<ExitCode> {
  const { io, closing } = session;
  const folder = resolve(io.cwd, flags.output);
  const locks = openRunLocks(join(folder, "locks"), systemClock);
  const lock = await locks.acquire(`experiment ${plan.experiment.name}`);
  closing.add(() => lock.release());
  const { store = null, json: isJson = false } = flags;
  const kind = store === null ? "sqlite" : "postgres";
  const record = recordFor(folder, plan, kind, systemClock.now());
  const results = readResults(folder);
  const left = plan.jobs.filter(({ id }) => isLeft(results.get(id)));
  const venueOf = venueFinder();
  const survey = await surveyJobs(left, plan, venueOf);
  const spent = [...results.values()].reduce((sum, result) => sum + result.spent, 0);
  const forecast = forecastFor(left, plan, spent);
  if (isJson) io.stdout.write(`${JSON.stringify({ type: "forecast", ...forecast })}\n`);
  for (const line of forecastLines(forecast, plan)) io.stderr.write(`${line}\n`);
  await askToStart(forecast, survey, flags.yes ?? false, session);
  const concurrency = flags.workers ?? plan.experiment.workers;
  const arms = [...plan.arms.values()];
  writePrompts(folder, arms);
  if (concurrency > 0) await preflight(arms, folder, io);
  writeRecord(folder, record);
  const spec = specOf(plan, survey, flags);
  const mayRunLocally = flags.yes === true || survey.kinds.has("local");
  const where = { folder, locks, survey, venueOf, mayRunLocally };
  return performBatch({ plan, record, ...where, concurrency, store, spec, isJson }, session);
}

/** Our choice: a dead worker's job starts again within 80 s, and a host that stutters keeps its own. */
const usualLeaseSec = 60;

function specOf(
  { experiment, modelBase, arms }: ExperimentPlan,
  { kinds }: Survey,
  { imageCache, lease }: Pick<EvalRunFlags, "imageCache" | "lease">,
): ExperimentSpec {
  const { name, caps, retries, grading } = experiment;
  return {
    name,
    arms: [...arms.keys()],
    kinds: [...kinds],
    modelBase,
    caps,
    retries,
    grading,
    imageCache: imageCache ?? experiment.imageCache,
    leaseSec: lease ?? usualLeaseSec,
  };
}
