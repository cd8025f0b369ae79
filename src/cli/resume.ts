import type { Resumed } from "../agent/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { LimitsRecord } from "../domain/site.ts";
import type { SnapshotShelf } from "../domain/snapshots.ts";
import { consentFor } from "./choose-environment.ts";
import { composeModel, keptIn } from "./compose.ts";
import { composePlace, type Opening, type Place, reopenPlace } from "./compose-place.ts";
import type { ExitCode } from "./exit-code.ts";
import { findRun } from "./find-run.ts";
import type { Io } from "./io.ts";
import { type Outcome, perform } from "./perform.ts";
import type { ResumeFlags } from "./resume-command.ts";
import { teller, tellOutcome, watch } from "./run.ts";
import { outputsIn } from "./run-outputs.ts";
import type { Site } from "./run-plan.ts";
import { promptsOf, readOwnPrompts } from "./run-settle.ts";
import { inSession, type Session } from "./session.ts";
import { refuseEnded, type Standing, standingOf, withLimits } from "./standing.ts";

/** `pmcoder resume`: goes on with a run that was interrupted or killed. Returns the exit status. */
export async function resumeRun(text: string, flags: ResumeFlags, io: Io): Promise<ExitCode> {
  const { exitCode } = await inSession(io, (session) => takeUp(text, flags, session));
  return exitCode;
}

async function takeUp(text: string, flags: ResumeFlags, session: Session): Promise<Outcome> {
  const { io, interruption, closing } = session;
  const { signal } = interruption;
  const { run, db, folder } = await findRun(text, flags.state, io);
  const kept = keptIn(run, outputsIn(folder, db));
  closing.add(() => kept.journal.close());
  const lock = await kept.locks.acquire(run);
  closing.add(() => lock.release());
  const events = [...(await kept.journal.read(run))];
  const standing = standingOf(run, events);
  const limits = limitsOf(flags);
  refuseEnded(standing, limits);
  const { kind, task } = standing;
  const config = withLimits(standing.config, limits);
  const ownPrompts = readOwnPrompts(config.agent, task, io.cwd);
  const approve = consentFor({ kind, ...flags, io, signal });
  const { model, close } = await composeModel(config.model, flags.record, task, io);
  closing.add(close);
  const watcher = watch({ ...flags, apply: applyLine(standing) }, kept, io, events);
  closing.add(watcher.close);
  const opening = { io, signal, tell: teller(flags, io) };
  const { place, rebuilt } = await placeOf(standing, kept, opening);
  closing.add(() => place.environment.close());
  const resumed: Resumed = {
    base: standing.base,
    rebuilt,
    saved: rebuilt ? savedIn(kept.shelf, standing) : null,
    limits,
  };
  const tell = (line: string) => void io.stderr.write(`${line}\n`);
  const outcome = await perform(
    { kept, place, watcher, interruption, events, env: io.env, tell },
    {
      instanceId: standing.instanceId,
      issue: task,
      notices: place.notices,
      reproducer: standing.reproducer,
      wantsPatch: standing.wantsPatch,
      model,
      config,
      approve,
      prompts: promptsOf(config, task, place.environment.workdir, ownPrompts),
      resumed,
    },
  );
  return tellOutcome(outcome, flags, io);
}

function limitsOf({ stepLimit, costLimit, timeLimit }: ResumeFlags): LimitsRecord {
  return {
    ...(stepLimit === undefined ? {} : { stepLimit }),
    ...(costLimit === undefined ? {} : { costLimit }),
    ...(timeLimit === undefined ? {} : { timeLimitSec: timeLimit }),
  };
}

function applyLine({ run, site }: Standing): string | null {
  return site.repository === null ? null : `pmcoder apply ${run}`;
}

/** The place that was left, or one built anew from the same repository or image. */
async function placeOf(
  standing: Standing,
  kept: ReturnType<typeof keptIn>,
  opening: Opening,
): Promise<{ readonly place: Place; readonly rebuilt: boolean }> {
  const site = siteOf(standing);
  const { environment } = standing.config;
  const told = { ...kept, commands: standing.commands };
  const left = await reopenPlace(site, standing.site, environment, told, opening);
  if (left !== null) return { place: left, rebuilt: false };
  return { place: await composePlace(site, environment, kept, opening), rebuilt: true };
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
