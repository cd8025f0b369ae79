import type { Step } from "./episode.ts";
import type { PolicyPhase } from "./phase.ts";

/**
 * The five stages of a repair: reproduce, locate, generate a patch, refine it, validate it
 * (AdaRepair-Mem, Fig. 8). Memories across issues are kept by them.
 */
export const stages = ["rep", "loc", "gen", "ref", "val"] as const;
export type Stage = (typeof stages)[number];

/** The systems whose memories a run can be given, in the order in which they speak. */
export const experienceNames = ["repomem", "experepair", "adarepair", "swe-exp"] as const;
export type ExperienceName = (typeof experienceNames)[number];

/** Which issue something is about: what the leak guard compares. */
export interface IssueIdentity {
  readonly instanceId: string | null;
  /** `owner/name`. */
  readonly repo: string | null;
  readonly issue: string;
  /** When the issue was written, epoch ms. */
  readonly createdAt: number | null;
}

/** The moment in an episode at which long-term memory is asked. */
export interface Occasion {
  readonly target: IssueIdentity;
  readonly phase: PolicyPhase;
  /** Whose work it is, where a workflow divides it; left out: one agent tests and patches. */
  readonly role?: "tester" | "coder";
  /** Which entry into a phase of this episode it is, from 1. */
  readonly entry: number;
  /** A verdict failed, or the plan turned back: what follows repairs a repair. */
  readonly refining: boolean;
  /** The newest failing output, where there is one. */
  readonly failure: string | null;
  /** The script or patch that gave it; left out: not at hand, so its output stands for it. */
  readonly attempt?: string;
}

/** One memory as it is offered: `text` stands in the block as it is. */
export interface Recollection {
  /** Stable in its bank; what `experience forget` takes. */
  readonly id: string;
  readonly source: ExperienceName;
  readonly stage: Stage | null;
  /** The issue that it was learned from; null: from no single one. */
  readonly instanceId: string | null;
  readonly score: number;
  readonly text: string;
}

/** Why the leak guard kept a memory back, and how often. */
export type Denials = Readonly<Record<string, number>>;

export interface Recalled {
  /** Best first. */
  readonly recollections: readonly Recollection[];
  readonly denied: Denials;
}

/** An episode that is over, as long-term memories learn from it. */
export interface PastEpisode {
  readonly from: IssueIdentity;
  /** The run's id or the trajectory's file. */
  readonly source: string;
  /** Its own evidence, never a hidden grade, unless whoever learns says so. */
  readonly resolved: boolean;
  /** Absolute path of the repository, as its commands saw it. */
  readonly root: string;
  readonly steps: readonly Step[];
  readonly patch: string;
  /** What resolved the issue in truth, where whoever learns knows it. */
  readonly goldPatch?: string;
}

export interface Learned {
  readonly added: number;
  readonly changed: number;
  /** What kept it from learning more. */
  readonly notes: readonly string[];
}

/**
 * A memory across issues.
 *
 * Contract (test/contracts/long-term-memory.ts): `recall` gives nothing that the leak guard denies,
 * and changes nothing. `learn` twice from the same episode is as once. Both reject with PmcoderError
 * `storage` when the bank cannot be read or written; the bank is whole afterwards.
 */
export interface LongTermMemory {
  recall(occasion: Occasion): Promise<Recalled>;
  learn(episode: PastEpisode): Promise<Learned>;
}
