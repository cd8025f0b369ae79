import { join, resolve } from "node:path";
import { PmcoderError } from "../../domain/errors.ts";
import { dollars } from "../../domain/quantities.ts";
import { bubblewrapWorks } from "../../environments/bubblewrap.ts";
import type { BatchEvent } from "../../eval/batch/batch-event.ts";
import { armSpec, type ExperimentSpec, experimentSpec } from "../../eval/batch/episode-spec.ts";
import { openPostgresExperiment } from "../../store/postgres-experiment.ts";
import { busyQueues } from "../../store/queue-postgres.ts";
import { openRunLocks } from "../../store/run-lock.ts";
import { Closing } from "../closing.ts";
import { systemClock } from "../compose.ts";
import { type ExitCode, explain } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { statePlace } from "../places.ts";
import type { Session } from "../session.ts";
import { listenInStages, type StagedInterruption } from "../staged-signals.ts";
import { remarkLine } from "./board-text.ts";
import type { EvalWorkerFlags } from "./command.ts";
import { enginesOf, openEngine } from "./engine.ts";
import { openGrader } from "./grader.ts";
import { openHandler, type Stop } from "./handler.ts";
import { preflight, writePrompts } from "./preflight.ts";
import { openSharedStore } from "./store.ts";
import { venueFinder } from "./venue.ts";

/** Between two looks for experiments with work. Our choice. */
const lookMs = 2000;
/** Before another try to serve an experiment that could not be served. Our choice. */
const againMs = 60_000;

/**
 * `pmcoder eval worker`: does jobs of whatever experiments a database holds. The first signal takes
 * no more jobs and finishes those that run, the second ends them so that they go on elsewhere, the
 * third leaves at once. Returns the exit status.
 */
export async function workForAll(flags: EvalWorkerFlags, io: Io): Promise<ExitCode> {
  const interruption = listenInStages(io.signals, (first) =>
    io.leave(first === "SIGTERM" ? 143 : 130),
  );
  try {
    return await serveAll(flags, io, interruption);
  } finally {
    interruption.release();
  }
}

async function serveAll(
  flags: EvalWorkerFlags,
  io: Io,
  interruption: StagedInterruption,
): Promise<ExitCode> {
  const { drain, signal, received } = interruption;
  /** Experiments that this worker cannot serve, or that are stopped: when that was found. */
  const refused = new Map<string, number>();
  const { now } = systemClock;
  while (!drain.aborted) {
    const busy = await busyQueues(flags.store, systemClock);
    const key = busy.find((name) => {
      const at = refused.get(name);
      return at === undefined || (!flags.once && now() - at > againMs);
    });
    if (key === undefined && flags.once) break;
    if (key === undefined) await systemClock.sleep(lookMs, drain).catch(() => {});
    else await serveOrRefuse(key, refused, { flags, io, interruption });
  }
  if (signal.aborted) return received() === "SIGTERM" ? 143 : 130;
  return refused.size > 0 && flags.once ? 1 : 0;
}

interface Serving {
  readonly flags: EvalWorkerFlags;
  readonly io: Io;
  readonly interruption: StagedInterruption;
}

async function serveOrRefuse(
  key: string,
  refused: Map<string, number>,
  serving: Serving,
): Promise<void> {
  const reason = await serve(key, serving);
  if (reason === null) {
    refused.delete(key);
    return;
  }
  refused.set(key, systemClock.now());
  serving.io.stderr.write(`${key} is left: ${reason}\n`);
}

/** Does jobs of one experiment until none is left. Returns why it is not served further; null: it may be. */
async function serve(key: string, { flags, io, interruption }: Serving): Promise<string | null> {
  const closing = new Closing();
  try {
    return await serveOpen(key, flags, { io, interruption, closing }, interruption.drain);
  } catch (error) {
    if (error instanceof PmcoderError && error.code !== "internal") return error.message;
    throw error;
  } finally {
    for (const failure of await closing.close()) {
      io.stderr.write(`pmcoder: ${explain(failure, io.env)}\n`);
    }
  }
}

async function serveOpen(
  key: string,
  flags: EvalWorkerFlags,
  session: Session,
  drain: AbortSignal,
): Promise<string | null> {
  const { io, closing, interruption } = session;
  const spec = await specOf(flags.store, key);
  const { caps, leaseSec, retries, kinds } = spec;
  const mayRunLocally = flags.yes ?? false;
  await refuseUnable(kinds, mayRunLocally);
  const engine = kinds.includes("docker") ? await openEngine(io.env) : null;
  const shared = { key, caps, leaseSec, maxAttempts: retries.run + 1 };
  const store = await openSharedStore(flags.store, shared, closing);
  const folder =
    flags.output === undefined
      ? join(statePlace(flags.state, io).folder, "eval", key)
      : resolve(io.cwd, flags.output);
  const arms = await Promise.all(spec.arms.map((name) => armSpec(store.read, name)));
  writePrompts(folder, arms);
  await preflight(arms, folder, io);
  const stopping = new AbortController();
  const stops: Stop[] = [];
  const tell = teller(flags, io);
  const concurrency = flags.workers ?? 1;
  const handler = openHandler({
    key,
    spec,
    store,
    folder,
    locks: openRunLocks(join(folder, "locks"), systemClock),
    engines: enginesOf(engine),
    venueOf: venueFinder(),
    mayRunLocally,
    grader: openGrader(spec.grading, {
      io,
      folder,
      mayRunLocally,
      tell: (text) => tell({ type: "note", text }),
    }),
    imagesLeft: null,
    concurrency,
    session,
    signal: interruption.signal,
    tell,
    stop: (stop) => {
      stops.push(stop);
      stopping.abort();
    },
  });
  io.stderr.write(`working for ${key}, ${concurrency} at once\n`);
  const until = AbortSignal.any([drain, stopping.signal]);
  await store.queue.work(handler, { concurrency, drain: until });
  return stops[0]?.reason ?? null;
}

/** Throws PmcoderError `environment_lost` when this machine lacks what the commands run in. */
async function refuseUnable(kinds: ExperimentSpec["kinds"], mayRunLocally: boolean): Promise<void> {
  const refuse = (message: string) => new PmcoderError("environment_lost", message);
  if (kinds.includes("local") && !mayRunLocally) {
    throw refuse(
      "its commands run without a sandbox, and nobody has agreed to it here. Pass --yes to do so.",
    );
  }
  if (!kinds.includes("bubblewrap")) return;
  const works = await bubblewrapWorks();
  if (!works.ok)
    throw refuse(`its commands run in bubblewrap, which does not work: ${works.reason}`);
}

async function specOf(url: string, key: string): Promise<ExperimentSpec> {
  const experiment = await openPostgresExperiment(url, key, systemClock);
  try {
    return await experimentSpec(experiment.read);
  } finally {
    await experiment.close();
  }
}

/** One line for each end of a run; for programs each event. */
function teller({ json }: Pick<EvalWorkerFlags, "json">, { stdout, stderr }: Io) {
  return (event: BatchEvent): void => {
    if (json) stdout.write(`${JSON.stringify(event)}\n`);
    const line =
      event.type === "ended"
        ? `${event.job}  ${event.status}  ${dollars(event.cost)}`
        : remarkLine(event);
    if (line !== null) stderr.write(`${line}\n`);
  };
}
