import type { Resumed } from "../agent/episode.ts";
import type { ExitStatus, RecordedEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { LimitsRecord } from "../domain/site.ts";
import type { SnapshotShelf } from "../domain/snapshots.ts";
import { composeModel, type Kept, keptIn } from "./compose.ts";
import { clearWork, type Opening } from "./compose-copy.ts";
import { composePlace, type Place, reopenPlace } from "./compose-place.ts";
import { deciderFor } from "./debug.ts";
import { type ExitCode, exitCodeOf } from "./exit-code.ts";
import { findRun } from "./find-run.ts";
import type { Io } from "./io.ts";
import { withPage } from "./live-page.ts";
import { type Outcome, perform } from "./perform.ts";
import type { Audience, PrepareOptions } from "./perform-plan.ts";
import { remember } from "./remember.ts";
import type { ResumeFlags } from "./resume-command.ts";
import { flagLines, teller, tellOutcome, watch } from "./run.ts";
import { completeEnd, outputsIn } from "./run-outputs.ts";
import type { Site } from "./run-plan.ts";
import { promptsOf, readOwnPrompts } from "./run-settle.ts";
import { inSession, type Session } from "./session.ts";
import {
  isFinal,
  refuseEnded,
  type Standing,
  standingOf,
  withheldNotices,
  withLimits,
} from "./standing.ts";
import { solveOf } from "./workflows.ts";

/** `pmcoder resume`: goes on with a run that was interrupted or killed. Returns the exit status. */
export async function resumeRun(text: string, flags: ResumeFlags, io: Io): Promise<ExitCode> {
  return inSession(io, (session) => takeUp(text, flags, session));
}

async function takeUp(text: string, flags: ResumeFlags, session: Session): Promise<ExitCode> {
  const { io, closing } = session;
  const { run, db, folder } = await findRun(text, flags.state, io);
  const kept = keptIn(run, outputsIn(folder, db));
  closing.add(() => kept.journal.close());
  const lock = await kept.locks.acquire(run);
  closing.add(() => lock.release());
  const events = [...(await kept.journal.read(run))];
  const standing = standingOf(run, events);
  const limits = limitsOf(flags);
  const summary = completeEnd(kept.outputs, events);
  if (summary !== null && standing.ended !== null && isFinal(standing.ended)) {
    if (flags.json) io.stdout.write(`${JSON.stringify(summary)}\n`);
    return finish(standing.ended, standing, kept, io);
  }
  refuseEnded(standing, limits);
  const progress = watch({ ...flags, apply: applyLine(standing, flags) }, kept, io, events);
  closing.add(progress.close);
  const watcher = flags.view ? withPage(progress, kept, session) : progress;
  const audience = { kept, watcher, tell: teller(flags, io) };
  const outcome = await goOn({ standing, events, limits, options: flags }, audience, session);
  return tellOutcome(outcome, flags, io).exitCode;
}

/** All that was left to do was to write files and to clear up. */
async function finish(
  ended: ExitStatus,
  { run, site, config }: Standing,
  { outputs, shelf }: Kept,
  io: Io,
): Promise<ExitCode> {
  io.stderr.write(
    `Run ${run} had ended before its files were written: ${ended}. They stand in ${outputs.folder} now.\n`,
  );
  shelf.keepOnly([]);
  await clearWork(site, config.environment, run, io);
  return exitCodeOf(ended);
}

/** A run that an earlier process has left, and that this one holds. */
export interface TakenUp {
  readonly standing: Standing;
  /** What was recorded of it; what happens now is added. */
  readonly events: RecordedEvent[];
  readonly limits: LimitsRecord;
  readonly options: PrepareOptions;
  /** Memories across issues are read and learn nothing. */
  readonly isEvaluation?: boolean;
}

/** Goes on with a run: from where its work stands to the files of its output folder. */
export async function goOn(
  { standing, events, limits, options, isEvaluation }: TakenUp,
  { kept, watcher, tell }: Audience,
  { io, interruption, closing }: Session,
): Promise<Outcome> {
  const { signal } = interruption;
  const { kind, task } = standing;
  const config = withLimits(standing.config, limits);
  const prompt = events.find((event) => event.type === "prompt");
  const ownPrompts = prompt ?? readOwnPrompts(config.agent, task, io.cwd);
  const decide = deciderFor({ kind, ...options, io, signal });
  const { model, close } = await composeModel(config.model, options.record, task, io);
  closing.add(close);
  const { place, rebuilt } = await placeOf(standing, kept, { io, signal, tell });
  closing.add(() => place.environment.close());
  const resumed: Resumed = {
    base: standing.base,
    rebuilt,
    saved: rebuilt ? savedIn(kept.shelf, standing) : null,
    limits,
  };
  const base = standing.base.commit ?? "HEAD";
  const ground = { environment: place.environment, base, state: kept.outputs.state };
  const around = { io, signal, closing, ground, model, mayLearn: !isEvaluation };
  const remembrance = await remember(config, async () => identityOf(standing), around);
  const { wantsPatch } = standing;
  const { workdir } = place.environment;
  const warn = (line: string) => void io.stderr.write(`${line}\n`);
  const outcome = await perform(
    { kept, place, watcher, interruption, events, env: io.env, tell: warn },
    {
      instanceId: standing.instanceId,
      issue: task,
      notices: [...withheldNotices(standing), ...place.notices, ...remembrance.notices],
      experience: remembrance.experience,
      reproducer: standing.reproducer,
      wantsPatch,
      solve: solveOf(config),
      model,
      config,
      decide,
      prompts: promptsOf(config, { issue: task, workdir, wantsPatch }, ownPrompts),
      resumed,
    },
  );
  await remembrance.learnFrom(outcome, events);
  return outcome;
}

const identityOf = ({ instanceId, task: issue, origin }: Standing) => ({
  ...{ repo: null, createdAt: null, ...origin },
  instanceId,
  issue,
});

function limitsOf({ stepLimit, costLimit, timeLimit }: ResumeFlags): LimitsRecord {
  return {
    ...(stepLimit === undefined ? {} : { stepLimit }),
    ...(costLimit === undefined ? {} : { costLimit }),
    ...(timeLimit === undefined ? {} : { timeLimitSec: timeLimit }),
  };
}

function applyLine({ run, site }: Standing, { state }: ResumeFlags): string | null {
  if (site.repository === null) return null;
  return ["pmcoder apply", run, ...flagLines({ state })].join(" ");
}

/** The place that was left, or one built anew from the same repository or image. */
async function placeOf(
  standing: Standing,
  kept: Kept,
  opening: Opening,
): Promise<{ readonly place: Place; readonly rebuilt: boolean }> {
  const site = siteOf(standing);
  const { environment } = standing.config;
  const left = await reopenPlace(site, standing, environment, kept, opening);
  if (left !== null) return { place: left, rebuilt: false };
  const config = await clearWork(standing.site, environment, standing.run, opening.io);
  return { place: await composePlace(site, config, kept, opening), rebuilt: true };
}

function siteOf({ run, kind, site: { image, repository: top } }: Standing): Site {
  const repository = top === null ? null : { top, sub: "" };
  if (kind === "docker" && image !== null) return { kind, image, repository };
  if (kind !== "docker" && repository !== null) return { kind, repository };
  throw new PmcoderError("internal", `The record of run ${run} names no place for ${kind}.`);
}

/** What was saved must be there: without it, work that the record knows would be missing. */
function savedIn(shelf: SnapshotShelf, { run, savedTree }: Standing): Uint8Array | null {
  if (savedTree === null) return null;
  const saved = shelf.get(savedTree);
  if (saved !== null) return saved;
  throw new PmcoderError(
    "storage",
    `The saved work of run ${run} is gone (snapshots/${savedTree}.diff in its output folder), and so is the place where it was done. Start a new run.`,
  );
}
