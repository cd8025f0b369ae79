import type { Environment } from "../domain/environment.ts";
import type { EpisodeEvent, ExitStatus, PatchRecord } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Reproducer } from "../domain/reproducer.ts";
import { beginGrounding } from "./grounding/grounding.ts";
import { type LoopEnd, type LoopParts, runLoop } from "./loop.ts";
import { type Base, forgetBase, snapshotBase } from "./patch/base.ts";
import { extractPatch } from "./patch/extract.ts";
import { recordSubmission } from "./patch/submission-record.ts";

export interface EpisodeParts extends Omit<LoopParts, "files" | "grounding"> {
  readonly run: string;
  readonly instanceId: string | null;
  readonly version: string;
  /** The folder with what the run leaves. */
  readonly output: string;
  /** Known before the start and worth telling: what the copy left out, a base that differs. */
  readonly notices: readonly string[];
  /** The script that reproduces the issue; left out or null: there is none. */
  readonly reproducer?: Reproducer | null;
  /** A task that is not about a patch ends well without one. */
  readonly wantsPatch: boolean;
}

export interface EpisodeEnd {
  readonly status: ExitStatus;
  readonly reason: string;
  /** Our own diff of the repository, byte for byte; empty if there is none. */
  readonly extraction: Uint8Array;
  /** The text that the model submitted, byte for byte; empty if there is none. */
  readonly submission: Uint8Array;
  /** What the run stands for: one of the two, as the arm asks. */
  readonly patch: Uint8Array;
  /** The changes could not be taken, so that the working copy alone holds them. */
  readonly uncollected: boolean;
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

const nothing = new Uint8Array();

/**
 * One episode from an open environment to a patch, whatever happens in between: the base is taken
 * first, and after the loop has ended, well or not, the work is collected and told. Rejects when
 * the base cannot be taken (`usage`) or the record cannot be written (`storage`); everything else
 * is a status.
 */
export async function runEpisode(parts: EpisodeParts): Promise<EpisodeEnd> {
  const errands = forErrands(parts.environment);
  const startedAt = parts.clock.now();
  const base = await snapshotBase(errands);
  try {
    return await runOn(base, parts, errands, startedAt);
  } finally {
    // It is gone already where the environment is.
    await forgetBase(errands, base).catch(() => {});
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
  const { clock, record, reproducer = null } = parts;
  await record([beginning(parts, base), ...parts.notices.map(notice)]);
  const grounding = beginGrounding({ ...parts, environment: errands, base, reproducer });
  const end = await settle({ ...parts, files: base.files, grounding });
  const { events, ...work } = await collect({ ...parts, environment: errands }, base, end);
  const status = end.status === "submitted" && isMissing(parts, work) ? "no_patch" : end.status;
  const reason = status === "no_patch" ? `${end.reason}, but the patch is empty` : end.reason;
  const seconds = (clock.now() - startedAt) / 1000;
  await record([...events, { type: "end", status, reason, seconds }]);
  return { status, reason, ...work, fault: end.fault };
}

const notice = (text: string): EpisodeEvent => ({ type: "notice", text });

function beginning(parts: EpisodeParts, base: Base): EpisodeEvent {
  const { run, instanceId, issue, config, model, environment, version, output, reproducer } = parts;
  return {
    type: "begin",
    run,
    instanceId,
    task: issue,
    arm: config.arm,
    model: model.name,
    environment: { kind: environment.kind, workdir: environment.workdir },
    base: { tree: base.tree, commit: base.commit },
    config,
    version,
    ...(reproducer ? { reproducer } : {}),
    output,
  };
}

/** The loop's end as a value: whatever it fails with but the record becomes a status. */
async function settle(parts: LoopParts): Promise<LoopEnd & { readonly fault?: unknown }> {
  try {
    return await runLoop(parts);
  } catch (error) {
    if (!(error instanceof PmcoderError)) {
      return { status: "error", reason: `internal error: ${String(error)}`, fault: error };
    }
    if (error.code === "storage") throw error;
    const status = statusOfError[error.code];
    return { status, reason: error.message, ...(status === "error" ? { fault: error } : {}) };
  }
}

interface Work extends Pick<EpisodeEnd, "extraction" | "submission" | "patch" | "uncollected"> {
  readonly events: readonly EpisodeEvent[];
}

async function collect(parts: EpisodeParts, base: Base, end: LoopEnd): Promise<Work> {
  const { environment, config } = parts;
  const submission = end.submission ?? nothing;
  if (end.status === "environment_lost") {
    const lost = notice("The environment is gone, so the changes could not be taken.");
    return { ...uncollected(submission), events: [lost] };
  }
  try {
    const extracted = await extractPatch(environment, base, {
      maxFileBytes: config.agent.patchMaxFileBytes,
    });
    const submitted = await recordSubmission(environment, base, submission);
    const chosen = config.agent.patch === "extraction" ? extracted : submitted;
    return {
      extraction: extracted.bytes,
      submission: submitted.bytes,
      patch: chosen.bytes,
      uncollected: false,
      events: [patchEvent(chosen.record)],
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const failed = notice(`The patch could not be taken: ${reason}`);
    return { ...uncollected(submission), events: [failed] };
  }
}

/** What the model submitted is all that there is. */
function uncollected(submission: Uint8Array): Omit<Work, "events"> {
  return { extraction: nothing, submission, patch: submission, uncollected: true };
}

const patchEvent = (record: PatchRecord): EpisodeEvent => ({ type: "patch", ...record });

function isMissing({ wantsPatch }: EpisodeParts, { patch }: Pick<EpisodeEnd, "patch">): boolean {
  return wantsPatch && patch.length === 0;
}
