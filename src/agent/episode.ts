import type { Experience } from "../domain/briefing.ts";
import type { Environment } from "../domain/environment.ts";
import type { EpisodeEvent, ExitStatus } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Reproducer } from "../domain/reproducer.ts";
import { type BaseRecord, type LimitsRecord, pauses, type SiteRecord } from "../domain/site.ts";
import type { SnapshotShelf } from "../domain/snapshots.ts";
import { beginGrounding } from "./grounding/grounding.ts";
import { guardHistory } from "./guard/newer-history.ts";
import { activeMs } from "./limits.ts";
import { type LoopParts, runLoop, type Solve, type SolveParts } from "./loop.ts";
import { type Base, forgetBase, reopenBase, snapshotBase } from "./patch/base.ts";
import { collect, type Work } from "./patch/collect.ts";
import { Snapshots } from "./patch/snapshots.ts";
import { laySnapshot } from "./patch/take-snapshot.ts";
import type { LoopEnd } from "./turn.ts";

export interface EpisodeParts
  extends Omit<LoopParts, "files" | "grounding" | "snapshots" | "resumed"> {
  readonly run: string;
  readonly instanceId: string | null;
  readonly version: string;
  /** The folder with what the run leaves. */
  readonly output: string;
  /** Known before the start and worth telling: what the copy left out, a base that differs. */
  readonly notices: readonly string[];
  /** The script that reproduces the issue; left out or null: there is none. */
  readonly reproducer?: Reproducer | null;
  /** What works on the issue; left out: the observe-act loop. */
  readonly solve?: Solve | undefined;
  /** A task that is not about a patch ends well without one. */
  readonly wantsPatch: boolean;
  /** Where the work stands on this machine, for a later process to take it up. */
  readonly site?: SiteRecord;
  /** Where its states are kept; left out: nowhere. */
  readonly shelf?: SnapshotShelf;
  /** This process goes on with a run that an earlier one has begun. */
  readonly resumed?: Resumed;
  /** Makes the work durable: once the end is recorded, nobody goes on to take it again. */
  readonly keep?: (work: Work) => void;
}

export interface Resumed {
  /** As the earlier process knew it. */
  readonly base: BaseRecord;
  /** The environment is another one, with the repository as it was at the start. */
  readonly rebuilt: boolean;
  /** What the repository is to be brought to, when it was rebuilt; null: nothing was saved. */
  readonly saved: Uint8Array | null;
  readonly limits: LimitsRecord;
}

export interface EpisodeEnd extends Work {
  readonly status: ExitStatus;
  readonly reason: string;
  /** What went wrong when the status is `error`, for whoever has to mend it. */
  readonly fault: unknown;
}

const statusOfError: Record<PmcoderError["code"], ExitStatus> = {
  usage: "error",
  environment_lost: "environment_lost",
  image_missing: "image_missing",
  model_unavailable: "model_unavailable",
  context_exhausted: "context_exhausted",
  interrupted: "interrupted",
  storage: "error",
  internal: "error",
};

/**
 * One episode from an open environment to a patch, whatever happens in between: the base is taken
 * first, and after the loop has ended, well or not, the work is collected and told. Rejects when
 * the base cannot be taken (`usage`, `environment_lost`) or the record cannot be written
 * (`storage`); everything else is a status.
 */
export async function runEpisode(parts: EpisodeParts): Promise<EpisodeEnd> {
  const errands = forErrands(parts.environment);
  const startedAt = parts.clock.now();
  const base = await baseOf(parts, errands);
  const end = await runOn(base, parts, errands, startedAt);
  // Another process may go on from it. It is gone already where the environment is.
  if (!pauses.includes(end.status)) await forgetBase(errands, base).catch(() => {});
  return end;
}

/** The base, with the repository brought to where an earlier process of the run had it. */
async function baseOf({ resumed, wantsPatch }: EpisodeParts, errands: Environment): Promise<Base> {
  if (resumed === undefined) return snapshotBase(errands, wantsPatch);
  if (!resumed.rebuilt) return reopenBase(errands, resumed.base);
  const base = await snapshotBase(errands);
  if (resumed.saved !== null) await layOn(base, errands, resumed.saved, resumed.base);
  return base;
}

/** Saved work fits the tree that it was taken from; whether it fits another has to be tried. */
async function layOn(
  base: Base,
  errands: Environment,
  saved: Uint8Array,
  { tree, commit }: BaseRecord,
): Promise<void> {
  try {
    await laySnapshot(errands, base, saved);
  } catch (cause) {
    const isInternal = cause instanceof PmcoderError && cause.code === "internal";
    if (!isInternal || base.tree === tree) throw cause;
    const at = commit === null ? "" : `, at commit ${commit}`;
    throw new PmcoderError(
      "usage",
      `The saved work does not fit the repository any more, because that has changed since the run began. Bring it back to what it was then${at}, or take the patch so far with pmcoder apply.`,
      { cause },
    );
  }
}

/** The environment for scripts of our own, so that the outputs it keeps are the commands'. */
function forErrands(environment: Environment): Environment {
  const execute: Environment["execute"] = (script, options) =>
    environment.execute(script, { ...options, errand: true });
  return { ...environment, execute };
}

async function runOn(
  base: Base,
  parts: EpisodeParts,
  errands: Environment,
  startedAt: number,
): Promise<EpisodeEnd> {
  const { clock, config, past = [], reproducer = null, shelf = null } = parts;
  const { patchMaxFileBytes: maxFileBytes } = config.agent;
  const snapshots = shelf && new Snapshots({ environment: errands, base, shelf, maxFileBytes });
  const grounding = beginGrounding({ ...parts, environment: errands, base, reproducer });
  snapshots?.note(past);
  for (const event of past) grounding?.note(event);
  const record: EpisodeParts["record"] = async (events) => {
    await parts.record(events);
    snapshots?.note(events);
  };
  await open(record, parts, errands, base);
  const loop = { ...parts, files: base.files, grounding, snapshots, record, base, errands };
  const end = await settle(parts.solve ?? runLoop, loop);
  const collecting = { ...loop, environment: errands, end, shelf };
  const { events, ...work } = await collect(collecting);
  parts.keep?.(work);
  const status = end.status === "submitted" && isMissing(parts, work) ? "no_patch" : end.status;
  const reason = status === "no_patch" ? `${end.reason}, but the patch is empty` : end.reason;
  const seconds = (activeMs(past) + clock.now() - startedAt) / 1000;
  await record([...events, { type: "end", status, reason, seconds }]);
  return { status, reason, ...work, fault: end.fault };
}

const notice = (text: string): EpisodeEvent => ({ type: "notice", text });

/** Records that this process begins; a run that cannot be recorded leaves nothing behind. */
async function open(
  record: EpisodeParts["record"],
  parts: EpisodeParts,
  errands: Environment,
  base: Base,
): Promise<void> {
  const notices = [
    ...parts.notices,
    ...(await futureNotices(parts, errands, base)),
    ...changeNotices(parts, base),
  ];
  try {
    await record([opening(parts, base), ...notices.map(notice)]);
  } catch (error) {
    if (parts.resumed === undefined) await forgetBase(errands, base).catch(() => {});
    throw error;
  }
}

/** A repository of one's own may hold what it likes; that of an instance must not hold the answer. */
async function futureNotices(
  { instanceId, resumed }: EpisodeParts,
  errands: Environment,
  base: Base,
): Promise<readonly string[]> {
  if (instanceId === null || resumed !== undefined) return [];
  const warning = await guardHistory(errands, base);
  return warning === null ? [] : [warning];
}

function changeNotices({ resumed }: EpisodeParts, { tree }: Base): readonly string[] {
  if (resumed === undefined || resumed.base.tree === tree) return [];
  return ["The repository has changed since the run began; the work goes on upon it as it is now."];
}

/** The event that opens this process's part of the run. */
function opening(parts: EpisodeParts, { tree, commit, store }: Base): EpisodeEvent {
  const { run, instanceId, issue, config, model, environment, version, output, reproducer } = parts;
  const { resumed, site, wantsPatch, experience } = parts;
  const base = { tree, commit, store };
  if (resumed) {
    const { rebuilt, limits } = resumed;
    return { type: "resume", version, base, ...(site ? { site } : {}), rebuilt, limits };
  }
  return {
    type: "begin",
    run,
    instanceId,
    task: issue,
    arm: config.arm,
    model: model.name,
    environment: { kind: environment.kind, workdir: environment.workdir },
    base,
    ...(site ? { site } : {}),
    wantsPatch,
    config,
    version,
    ...(reproducer ? { reproducer } : {}),
    ...(experience ? { origin: originOf(experience) } : {}),
    output,
  };
}

const originOf = ({ target: { repo, createdAt } }: Experience) => ({ repo, createdAt });

/** The end as a value: whatever it fails with but the record becomes a status. */
async function settle(
  solve: Solve,
  parts: SolveParts,
): Promise<LoopEnd & { readonly fault?: unknown }> {
  try {
    return await solve(parts);
  } catch (error) {
    if (!(error instanceof PmcoderError)) {
      return { status: "error", reason: `internal error: ${String(error)}`, fault: error };
    }
    if (error.code === "storage") throw error;
    const status = statusOfError[error.code];
    return { status, reason: error.message, ...(status === "error" ? { fault: error } : {}) };
  }
}

function isMissing({ wantsPatch }: EpisodeParts, { patch }: Pick<EpisodeEnd, "patch">): boolean {
  return wantsPatch && patch.length === 0;
}
