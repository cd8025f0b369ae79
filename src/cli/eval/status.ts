import { join, resolve } from "node:path";
import { plural } from "../../domain/quantities.ts";
import { runPrefix } from "../../eval/batch/job-runs.ts";
import { jobOfId } from "../../eval/experiment/expand.ts";
import { beginProgress, takeEvent } from "../../eval/experiment/progress.ts";
import { tableOf } from "../../eval/experiment/progress-table.ts";
import { openRunLocks } from "../../store/run-lock.ts";
import { Closing } from "../closing.ts";
import { systemClock } from "../compose.ts";
import type { Io } from "../io.ts";
import { boardLines } from "./board-text.ts";
import type { EvalStatusFlags } from "./command.ts";
import { type ExperimentRecord, readRecord } from "./record.ts";
import { tellRestored } from "./restore.ts";
import { readResults } from "./results.ts";
import { openOwnJournal, openSharedStore } from "./store.ts";

/** `pmcoder eval status`: how far an experiment is, from its output folder; changes nothing in it. */
export async function showStatus(folder: string, flags: EvalStatusFlags, io: Io): Promise<0> {
  const path = resolve(io.cwd, folder);
  const record = readRecord(path);
  const results = readResults(path);
  const jobs = record.jobs.map(jobOfId);
  const isAtWork = await openRunLocks(join(path, "locks"), systemClock).isHeld(
    `experiment ${record.experiment.name}`,
  );
  const arms = Object.keys(record.declaration.arms);
  const selected = arms.filter((name) => jobs.some(({ arm }) => arm === name));
  let progress = beginProgress(jobs, selected);
  const tell = (event: Parameters<typeof takeEvent>[1]) => {
    progress = takeEvent(progress, event);
  };
  tellRestored(jobs, results, new Map(), (event) => {
    if (event.type === "restored") tell(event);
  });
  for (const [job, result] of results) if (result.givenUp) tell({ type: "given_up", job });
  const begun = record.store === "sqlite" ? await begunJobs(path, record, results) : [];
  for (const job of begun) tell({ type: "started", job, at: systemClock.now() });
  const shared = flags.store === undefined ? null : await sharedCounts(flags.store, record);
  if (flags.json) {
    const rows = tableOf(progress, systemClock.now());
    io.stdout.write(`${JSON.stringify({ type: "table", isAtWork, queue: shared, rows })}\n`);
  }
  const lines = [
    `${record.experiment.name}, ${record.key}: ${isAtWork ? "a process works on it" : "no process of this folder works on it"}`,
    ...boardLines(progress, systemClock.now()),
    ...(begun.length > 0 && !isAtWork
      ? [`${plural(begun.length, "episode")} stopped in the middle; the same command goes on`]
      : []),
    ...queueLines(record, shared),
  ];
  for (const line of lines) io.stderr.write(`${line}\n`);
  return 0;
}

/** Jobs with a run but without a result. */
async function begunJobs(
  folder: string,
  { key, jobs }: ExperimentRecord,
  results: ReadonlyMap<string, unknown>,
): Promise<readonly string[]> {
  const journal = openOwnJournal(folder);
  try {
    const runs = new Set((await journal.runs()).map(({ run }) => run.replace(/\d+$/, "")));
    return jobs.filter((job) => !results.has(job) && runs.has(runPrefix(key, job)));
  } finally {
    await journal.close();
  }
}

async function sharedCounts(url: string, { key, experiment }: ExperimentRecord) {
  const closing = new Closing();
  const rules = { caps: experiment.caps, maxAttempts: 1, leaseSec: 60 };
  try {
    const { queue } = await openSharedStore(url, { ...rules, key }, closing);
    return await queue.counts();
  } finally {
    await closing.close();
  }
}

function queueLines(
  { store }: ExperimentRecord,
  counts: Awaited<ReturnType<typeof sharedCounts>> | null,
): readonly string[] {
  if (store === "sqlite") return [];
  if (counts === null) return ["Its jobs are in a PostgreSQL store: --store postgres://… asks it."];
  const { waiting, running, done, failed } = counts;
  return [
    `In the store: ${waiting} waiting, ${running} running, ${done} done, ${failed} failed. pmcoder eval run collects results into this folder.`,
  ];
}
