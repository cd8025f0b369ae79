import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { RecordedEvent } from "../../domain/episode.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type { Journal } from "../../domain/journal.ts";
import type { RunLocks } from "../../domain/run-lock.ts";
import { removeFolder } from "../../environments/remove-folder.ts";
import type { EpisodeSpec } from "../../eval/batch/episode-spec.ts";
import type { JobRun } from "../../eval/batch/job-runs.ts";
import type { Stage } from "../../eval/batch/perform-job.ts";
import { layOutRepository } from "../../eval/dataset-repository.ts";
import { runIdOf } from "../../eval/experiment/expand.ts";
import { instanceFolder } from "../../eval/harness/layout.ts";
import { makeFolder } from "../../store/files.ts";
import { snapshotFolder } from "../../store/snapshot-folder.ts";
import { storageError } from "../../store/storage-error.ts";
import { Closing } from "../closing.ts";
import type { Kept } from "../compose.ts";
import { clearWork } from "../compose-copy.ts";
import { explain } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { performPlan, prepare } from "../perform-plan.ts";
import { armingWith } from "../repro-arming.ts";
import { goOn } from "../resume.ts";
import { completeEnd, outputsIn, readPatch } from "../run-outputs.ts";
import { type RunPlan, type Site, siteOf } from "../run-plan.ts";
import type { Session } from "../session.ts";
import { isOpen, standingOf } from "../standing.ts";
import { isPaid } from "./cap.ts";
import type { Engines } from "./engine.ts";
import { jobFolder, repositoryFolder } from "./places.ts";
import { type FindVenue, imageIn, type Venue } from "./venue.ts";

export interface StageParts {
  /** The experiment's name, for the graders' run ids. */
  readonly name: string;
  /** The output folder of this worker. */
  readonly folder: string;
  readonly journal: Journal;
  readonly locks: RunLocks;
  /** The journal's database, as summaries name it. */
  readonly db: string;
  readonly engines: Engines;
  readonly venueOf: FindVenue;
  readonly session: Session;
  /** Commands may run without a sandbox: somebody has agreed to it. */
  readonly mayRunLocally: boolean;
  /** Takes a line for people. */
  readonly note: (line: string) => void;
}

/** Nobody watches a single run of a batch. */
const unwatched = { see: () => {}, hold: () => () => {}, close: () => {} };

/** Where the episodes of a batch are played: as `pmcoder run` and `pmcoder resume` would. */
export function openStage(parts: StageParts): Stage {
  const { name, folder, engines } = parts;
  return {
    play: async (spec, run, past, signal) => {
      const kept = keptOf(spec, run, parts);
      await inOwnSession(spec, signal, parts, (session) =>
        past.length === 0 ? begin(spec, kept, session, parts) : resume(spec, kept, past, session),
      );
    },
    canGoOn: async (spec, run) => canGoOn(spec, run, parts),
    patchOf: async (spec, { run, events }) => {
      const { outputs } = keptOf(spec, run, parts);
      if (events.at(-1)?.type !== "end") return null;
      completeEnd(outputs, events);
      const patch = readPatch(outputs);
      return patch && Buffer.from(patch).toString("utf8");
    },
    imageOf: async (spec) => imageIn(await parts.venueOf(spec, spec.config.environment)),
    recordOf: engines.recordOf,
    isPaid: async ({ config }) => isPaid(config.model),
    grading: ({ job }) => {
      const runId = runIdOf({ name }, job.arm, job.seed);
      return { runId, folder: instanceFolder(folder, { ...job, runId, model: runId }) };
    },
    clear: async (spec, run) => {
      await clearLeft(run, spec, parts.session.io, engines);
      keptOf(spec, run, parts).shelf.keepOnly([]);
    },
  };
}

function keptOf(spec: EpisodeSpec, run: string, { folder, db, journal, locks }: StageParts): Kept {
  const own = jobFolder(folder, spec.job);
  return {
    run,
    outputs: outputsIn(own, db, folder),
    journal,
    locks,
    shelf: snapshotFolder(join(own, "snapshots")),
  };
}

/** What the run opens is closed with it; what it says goes to whoever watches the batch. */
async function inOwnSession(
  { job }: EpisodeSpec,
  signal: AbortSignal,
  { session, folder, note }: StageParts,
  work: (session: Session) => Promise<unknown>,
): Promise<void> {
  const closing = new Closing();
  const tell = (text: string) => note(`${job.id}: ${text.trimEnd()}`);
  const stderr = new Writable({
    write: (chunk, _, done) => {
      tell(String(chunk));
      done();
    },
  });
  const io: Io = { ...session.io, cwd: folder, stderr };
  const { received, release } = session.interruption;
  try {
    await work({ io, closing, interruption: { signal, received, release } });
  } finally {
    for (const failure of await closing.close()) tell(explain(failure, io.env));
  }
}

async function begin(
  spec: EpisodeSpec,
  kept: Kept,
  session: Session,
  { engines, note, venueOf, mayRunLocally }: StageParts,
): Promise<void> {
  const { io } = session;
  const { job, row, config } = spec;
  await clearAttempt(kept, spec, io, engines);
  const venue = await venueOf(spec, config.environment);
  const { kind } = venue;
  if (kind === "local" && !mayRunLocally) throw unprotected();
  const site = await siteFor(spec, kept.run, venue, io);
  const plan: RunPlan = {
    config,
    task: { kind: "instance", text: row.problem_statement, row },
    site,
    arming: armingWith(spec.script, row.instance_id, { config, kind, yes: true }),
    costLimitGiven: true,
    isEvaluation: true,
  };
  const prepared = await prepare(plan, { yes: true }, session);
  const tell = (line: string) => {
    if (!line.startsWith("Copying ")) note(`${job.id}: ${line}`);
  };
  await performPlan(prepared, { kept, watcher: unwatched, tell }, session);
}

/**
 * Takes away what an earlier attempt has left: the files of a run that does not count stand beside
 * the job's folder, and the working copy and the container of one that never began are nobody's.
 */
async function clearAttempt(
  { run, outputs: { folder } }: Kept,
  spec: EpisodeSpec,
  io: Io,
  engines: Engines,
): Promise<void> {
  await clearLeft(run, spec, io, engines);
  if (!existsSync(join(folder, "summary.json"))) return removeFolder(folder);
  const n = Number(run.slice(run.lastIndexOf("-") + 1)) - 1;
  try {
    renameSync(folder, `${folder}.failed-${n}`);
  } catch (error) {
    throw storageError(folder, "move", error);
  }
}

function unprotected(): PmcoderError {
  return new PmcoderError(
    "environment_lost",
    "Commands would run on this machine without a sandbox, and nobody has agreed to it. Install bubblewrap, or pass --yes.",
  );
}

/** What a process that is dead has left of a run beside its results. */
async function clearLeft(
  run: string,
  { config }: EpisodeSpec,
  io: Io,
  engines: Engines,
): Promise<void> {
  const none = { image: null, repository: null, copy: null, container: null };
  await clearWork(none, config.environment, run, io);
  await removeFolder(repositoryFolder(io.env, run));
  await engines.clearRun(run);
}

async function siteFor(
  spec: EpisodeSpec,
  run: string,
  { kind, image }: Venue,
  io: Io,
): Promise<Site> {
  const repo = await layOut(spec, run, io);
  const instance = spec.job.instance;
  return siteOf(kind, image, repo === null ? { instance } : { instance, repo }, io.cwd);
}

/** The instance's own repository, laid out for this run; null: its image has it. */
async function layOut({ repository }: EpisodeSpec, run: string, { env }: Io) {
  if (repository === null) return null;
  const into = repositoryFolder(env, run);
  makeFolder(into);
  return (await layOutRepository(repository, into, env["PATH"])).path;
}

async function resume(
  spec: EpisodeSpec,
  kept: Kept,
  past: readonly RecordedEvent[],
  session: Session,
): Promise<void> {
  const { io, closing } = session;
  const lock = await kept.locks.acquire(kept.run);
  closing.add(() => lock.release());
  const standing = standingOf(kept.run, past);
  const { repository: top } = standing.site;
  if (top !== null && !existsSync(top)) await layOut(spec, kept.run, io);
  const options = { yes: true } as const;
  const taken = { standing, events: [...past], limits: {}, options, isEvaluation: true };
  await goOn(taken, { kept, watcher: unwatched, tell: () => {} }, session);
}

/**
 * A run goes on where its records are: this worker's output folder knows it, nobody else works on it,
 * and the work that the record knows was saved.
 */
async function canGoOn(
  spec: EpisodeSpec,
  { run, events }: JobRun,
  parts: StageParts,
): Promise<boolean> {
  const { outputs, locks, shelf } = keptOf(spec, run, parts);
  if (!existsSync(join(outputs.folder, "summary.json"))) return false;
  const begin = events.find((event) => event.type === "begin");
  if (begin?.output !== outputs.folder || (await locks.isHeld(run))) return false;
  try {
    const { ended, savedTree } = standingOf(run, events);
    return isOpen(ended) && (savedTree === null || shelf.get(savedTree) !== null);
  } catch (error) {
    if (error instanceof PmcoderError && error.code === "usage") return false;
    throw error;
  }
}
