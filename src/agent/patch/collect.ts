import type { RunConfig } from "../../domain/config/run-config.ts";
import type { Environment } from "../../domain/environment.ts";
import type { EpisodeEvent, PatchRecord } from "../../domain/episode.ts";
import type { SnapshotShelf } from "../../domain/snapshots.ts";
import type { LoopEnd } from "../turn.ts";
import type { Base } from "./base.ts";
import { extractPatch, type Patch } from "./extract.ts";
import { filesOf } from "./headers.ts";
import { bestOf, type Candidate, noLadder } from "./ladder.ts";
import type { Snapshots } from "./snapshots.ts";
import { recordSubmission } from "./submission-record.ts";
import { withoutScratch } from "./take-snapshot.ts";

/** What a run leaves of its work, byte for byte. */
export interface Work {
  /** Our own diff of the repository; empty if there is none. */
  readonly extraction: Uint8Array;
  /** The text that the model submitted; empty if there is none. */
  readonly submission: Uint8Array;
  /** What the run stands for: one of the two, as the arm asks. */
  readonly patch: Uint8Array;
  /** The changes could not be taken, so that the working copy alone holds them. */
  readonly uncollected: boolean;
}

export interface Collecting {
  readonly environment: Environment;
  readonly base: Base;
  readonly config: RunConfig;
  readonly end: LoopEnd;
  readonly snapshots: Snapshots | null;
  readonly shelf: SnapshotShelf | null;
}

type Collected = Work & { readonly events: readonly EpisodeEvent[] };

const nothing = new Uint8Array();
const notice = (text: string): EpisodeEvent => ({ type: "notice", text });

/**
 * The work of a run whose loop has ended, and what is to be recorded of it. After a submission the
 * repository as it stands counts; after a limit or a crash the best state that was saved.
 */
export async function collect(parts: Collecting): Promise<Collected> {
  const { environment, base, config, end } = parts;
  const text = end.submission ?? nothing;
  if (end.status === "environment_lost") return salvage(parts, text, "The environment is gone");
  try {
    const { patchMaxFileBytes: maxFileBytes } = config.agent;
    const taken = await extractPatch(environment, base, { maxFileBytes });
    const submitted = await recordSubmission(environment, base, text);
    if (config.agent.patch === "submission") {
      const work = { extraction: taken.bytes, submission: submitted.bytes };
      return { ...work, patch: submitted.bytes, uncollected: false, events: [told(submitted)] };
    }
    const better = end.status === "submitted" ? null : outranking(parts);
    const patch = better?.patch ?? taken;
    return {
      extraction: patch.bytes,
      submission: submitted.bytes,
      patch: patch.bytes,
      uncollected: false,
      events: [...(better ? [notice(better.reason)] : []), told(patch)],
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return salvage(parts, text, `The patch could not be taken: ${reason}`);
  }
}

/** What was saved earlier, or what the model submitted, is all that there is. */
function salvage(parts: Collecting, text: Uint8Array, why: string): Collected {
  const { config, end, snapshots } = parts;
  const ladder = snapshots?.ladder ?? noLadder;
  const best = end.status === "submitted" ? ladder.newest : bestOf(ladder);
  const saved = best && savedPatch(parts, best);
  const said = saved
    ? `${why}; the patch is the work as it was saved after step ${best?.step}.`
    : `${why}, and nothing was saved before.`;
  const extraction = saved?.bytes ?? nothing;
  return {
    extraction,
    submission: text,
    patch: config.agent.patch === "submission" ? text : extraction,
    uncollected: saved === null,
    events: [notice(said), ...(saved && config.agent.patch === "extraction" ? [told(saved)] : [])],
  };
}

interface Better {
  readonly patch: Patch;
  readonly reason: string;
}

/** An earlier state that is better than the one that the loop was cut off in. */
function outranking(parts: Collecting): Better | null {
  const ladder = parts.snapshots?.ladder;
  const best = ladder && bestOf(ladder);
  if (!best || best === ladder.newest) return null;
  const patch = savedPatch(parts, best);
  if (patch === null) return null;
  const why = best.passes
    ? "the issue's reproduction passed then"
    : best.parses
      ? "every edited file parsed then"
      : "later steps took it back";
  return { patch, reason: `The patch is the work as it stood after step ${best.step}: ${why}.` };
}

function savedPatch({ shelf }: Collecting, { tree }: Candidate): Patch | null {
  const kept = shelf?.get(tree);
  if (!kept) return null;
  const bytes = withoutScratch(kept);
  const files = filesOf(bytes);
  const record = { source: "extraction", bytes: bytes.length, files, leftOut: [] } as const;
  return { bytes, record: { ...record, applies: true } };
}

const told = ({ record }: { readonly record: PatchRecord }): EpisodeEvent => ({
  type: "patch",
  ...record,
});
