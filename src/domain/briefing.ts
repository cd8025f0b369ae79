import type { Denials, IssueIdentity, Occasion, Recollection } from "./experience.ts";
import type { Model } from "./model.ts";
import type { PolicyPhase } from "./phase.ts";

/** A memory that was shown; its text stands in the block. */
export interface ShownRecollection extends Omit<Recollection, "text"> {
  readonly tokens: number;
}

/** What memories across issues said on one occasion: what was shown of it, and what was not. */
export interface Brief {
  readonly phase: PolicyPhase;
  /** Which entry into a phase of the episode it was, from 1. */
  readonly entry: number;
  /** `[LTM]` … `[/LTM]`; null: nothing was shown. */
  readonly block: string | null;
  /** What the block holds, in its order. */
  readonly recalled: readonly ShownRecollection[];
  /** Whole turns of sources that did not fit; they are shown next time if they fit then. */
  readonly waiting: readonly Recollection[];
  /** What the leak guard kept back. */
  readonly denied: Denials;
}

/** A brief as an episode records it. */
export interface BriefRecord extends Brief {
  /** The tool result to whose end `block` is appended. */
  readonly callId: string;
}

/**
 * Speaks for all memories across issues of a run. `earlier`: the briefs of this episode, in order;
 * nothing else is remembered between two calls. A memory that fails is told in `failures` and
 * silences no other. Rejects with PmcoderError `interrupted` alone.
 */
export type Briefing = (
  occasion: Occasion,
  earlier: readonly Brief[],
) => Promise<{ readonly brief: Brief; readonly failures: readonly string[] }>;

/** Memories across issues as an episode is given them. */
export interface Experience {
  readonly target: IssueIdentity;
  /** `model` answers their questions; what it is asked is recorded and counted with the episode. */
  readonly open: (model: Model) => Briefing;
}
