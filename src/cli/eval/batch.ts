import type { RunLocks } from "../../domain/run-lock.ts";
import { runBatch, workOf } from "../../eval/batch/batch.ts";
import type { EpisodeResult } from "../../eval/batch/episode-result.ts";
import { documentsOf, type ExperimentSpec } from "../../eval/batch/episode-spec.ts";
import { goldId } from "../../eval/batch/gold-job.ts";
import type { Grader } from "../../eval/batch/grader.ts";
import { addJobs } from "../../eval/batch/image-use.ts";
import type { EpisodeJob } from "../../eval/experiment/expand.ts";
import type { Closing } from "../closing.ts";
import { systemClock } from "../compose.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Session } from "../session.ts";
import { type Board, openBoard } from "./board.ts";
import { capReason, isPaid, watchCap } from "./cap.ts";
import { type EvalEnd, tellEnd } from "./end.ts";
import { type Engines, enginesOf, openEngine } from "./engine.ts";
import { EnvironmentFile, engineVersion } from "./environment.ts";
import { openGrader } from "./grader.ts";
import { openHandler, type Stop } from "./handler.ts";
import { Keeper } from "./keeper.ts";
import { goldImage } from "./places.ts";
import type { ExperimentPlan } from "./plan.ts";
import type { ExperimentRecord } from "./record.ts";
import { spentUnfinished, tellRestored } from "./restore.ts";
import { ResultsFolder, readGold } from "./results.ts";
import { type BatchStore, openOwnJournal, openOwnStore, openSharedStore } from "./store.ts";
import type { Survey } from "./survey.ts";
import type { FindVenue } from "./venue.ts";

/** An experiment that may begin, or go on. */
export interface Batch {
  readonly plan: ExperimentPlan;
  readonly record: ExperimentRecord;
  readonly folder: string;
  readonly locks: RunLocks;
  readonly survey: Survey;
  readonly venueOf: FindVenue;
  /** Commands may run without a sandbox: somebody has agreed to it. */
  readonly mayRunLocally: boolean;
  /** Jobs at once here; 0: other workers do them. */
  readonly concurrency: number;
  /** Address of the database that is shared with other workers; null: there are none. */
  readonly store: string | null;
  readonly spec: ExperimentSpec;
  readonly isJson: boolean;
}

/** Does an experiment's jobs, and keeps and tells what comes of them. Returns the exit status. */
export async function performBatch(batch: Batch, session: Session): Promise<ExitCode> {
  const { plan, record, folder } = batch;
  const { io, closing } = session;
  const isDocker = batch.survey.kinds.has("docker") && batch.concurrency > 0;
  const engine = isDocker ? await openEngine(io.env) : null;
  const results = new ResultsFolder(folder, plan.experiment.name);
  const left = plan.jobs.filter(({ id }) => isLeft(results.results.get(id)));
  const board = openBoard({
    jobs: plan.jobs,
    arms: [...plan.arms.keys()],
    stderr: io.stderr,
    stdout: batch.isJson ? io.stdout : null,
    env: io.env,
    now: systemClock.now,
  });
  closing.add(board.close);
  const store = await openStore(batch, { left, results, board }, closing);
  const grader = openGrader(plan.experiment.grading, {
    ...batch,
    io,
    tell: (text) => board.tell({ type: "note", text }),
  });
  const { origin, sha256, rows, faults } = plan.dataset;
  const environment = new EnvironmentFile(folder, {
    engine: await engineVersion(engine),
    grader: grader.version,
    dataset: { origin, sha256, rows: rows.length, leftOut: faults.length },
  });
  const keeper = new Keeper({
    ...batch,
    experiment: record.key,
    journal: store.journal,
    instances: plan.instances,
    results,
    environment,
    tell: board.tell,
    now: systemClock.now,
  });
  closing.add(() => results.arrange(record.jobs));
  const stop = await work(
    batch,
    { store, engines: enginesOf(engine), grader, keeper, left },
    session,
  );
  board.close();
  const end: EvalEnd = { jobs: plan.jobs, results: results.results, stop, folder };
  return tellEnd(end, batch.isJson, session);
}

interface Opened {
  readonly store: BatchStore;
  readonly engines: Engines;
  readonly grader: Grader;
  readonly keeper: Keeper;
  readonly left: readonly EpisodeJob[];
}

/** Works until all is done or something stands in the way; null: nothing did. */
async function work(batch: Batch, opened: Opened, session: Session): Promise<Stop | null> {
  const { plan, folder, concurrency } = batch;
  const { store, grader, keeper, left } = opened;
  const { signal } = session.interruption;
  const stopping = new AbortController();
  const stops: Stop[] = [];
  const stop = (why: Stop) => {
    stops.push(why);
    stopping.abort();
  };
  const over = new AbortController();
  const watching = watchOthers(batch, store, over.signal, stop);
  const graded = new Set(readGold(folder).keys());
  const isGolden = grader.version !== null && plan.experiment.grading.gold;
  const golden = isGolden ? [...plan.instances].filter(([id]) => !graded.has(id)) : [];
  const goldImages = golden.map(([, instance]) => goldImage(instance));
  const isToCome = new Set(left.map(({ id }) => id));
  const batching = runBatch({
    queue: store.queue,
    work: workOf(
      left,
      golden.map(([id]) => id),
    ),
    handler: openHandler({
      ...batch,
      ...opened,
      key: batch.record.key,
      imagesLeft: batch.store === null ? addJobs(batch.survey.images, goldImages) : null,
      session,
      signal,
      tell: keeper.tell,
      stop,
    }),
    concurrency,
    drain: AbortSignal.any([signal, stopping.signal]),
    kept: new Set([
      ...batch.record.jobs.filter((id) => !isToCome.has(id) && keeper.has(id)),
      ...[...graded].map(goldId),
    ]),
    keep: (result) => keeper.keep(result),
    clock: systemClock,
    pollMs: store.pollMs,
  });
  await batching.finally(() => over.abort());
  await watching;
  return stops[0] ?? null;
}

/** A process that does no jobs itself learns of a cap that is reached by looking. */
async function watchOthers(
  { plan, spec, store: url, concurrency }: Batch,
  store: BatchStore,
  over: AbortSignal,
  stop: (stop: Stop) => void,
): Promise<void> {
  const costs = [...plan.arms.values()].some(({ config }) => isPaid(config.model));
  if (url === null || concurrency > 0 || !costs) return;
  const onReached = () => stop({ why: "cap", reason: capReason(spec.caps) });
  // A store that is lost ends the batch itself.
  await watchCap(store, over, onReached).catch(() => {});
}

interface Standing {
  readonly left: readonly EpisodeJob[];
  readonly results: ResultsFolder;
  readonly board: Board;
}

async function openStore(
  { plan, record, folder, spec, store: url }: Batch,
  { left, results, board }: Standing,
  closing: Closing,
): Promise<BatchStore> {
  const documents = documentsOf(spec, plan.arms, plan.instances);
  const rules = { caps: spec.caps, maxAttempts: spec.retries.run + 1 };
  const restore = (unfinished: ReadonlyMap<string, number>) =>
    tellRestored(plan.jobs, results.results, unfinished, board.tell);
  if (url !== null) {
    const shared = { ...rules, key: record.key, leaseSec: spec.leaseSec };
    const store = await openSharedStore(url, shared, closing);
    await store.put(documents);
    restore(new Map());
    return store;
  }
  const journal = openOwnJournal(folder);
  closing.add(() => journal.close());
  const unfinished = await spentUnfinished(journal, record.key, left);
  restore(unfinished);
  const known = [...results.results.values()].map(({ job, spent }) => [job, spent] as const);
  return openOwnStore(journal, folder, documents, {
    ...rules,
    spent: new Map([...known, ...unfinished]),
  });
}

/** Whether a job is still to be done, or again. */
export const isLeft = (result: EpisodeResult | undefined) => result?.givenUp !== false;
