import type { BriefRecord } from "../domain/briefing.ts";
import type { AdviceRecord, PatchRecord } from "../domain/episode.ts";
import type { IntegrityRecord, VerdictRecord } from "../domain/evidence.ts";
import type { SearchState } from "../domain/search-tree.ts";
import type { ObservedStep, SubstrateOptions } from "../substrate/state.ts";

/** What a command gave. */
export interface Outcome {
  readonly output: string;
  /** null: not recorded. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly interrupted: boolean;
  /** null: not recorded. */
  readonly seconds: number | null;
  /** Bytes of the output that the record does not hold. */
  readonly leftOutBytes: number;
}

export interface RecordedCall {
  readonly command: string;
  /** null: it still runs, or it never ran. */
  readonly outcome: Outcome | null;
  readonly integrity: IntegrityRecord | null;
  readonly verdict: VerdictRecord | null;
}

/** One assistant message and what came of it, whoever recorded it. */
export interface RecordedTurn {
  /** The n-th assistant message, from 1. */
  readonly index: number;
  /** The stage of a workflow and why its model was asked; null: the loop has none. */
  readonly stage: string | null;
  readonly thought: string;
  readonly calls: readonly RecordedCall[];
  /** Why its harness ran nothing of it; null: it did run. */
  readonly refusal: string | null;
  /** US dollars; null: not known. */
  readonly cost: number | null;
  /** Of the model call; null: not recorded. */
  readonly modelSeconds: number | null;
  /** Failed model calls before this one. */
  readonly retries: readonly string[];
  /** What plan and memory said at the time; null: they were off, or are not in the record. */
  readonly advice: AdviceRecord | null;
  /** What memories across issues said after it; null: they were not asked. */
  readonly experience: BriefRecord | null;
  /** Nothing will be added to it. */
  readonly complete: boolean;
  /** As the substrate takes it, call by call; `call`: its place in `calls`, null if none ran. */
  readonly observed: readonly { readonly step: ObservedStep; readonly call: number | null }[];
}

/** What goes on in an episode that has not ended. */
export interface Activity {
  readonly kind: "model" | "command" | "check";
  /** Epoch ms. */
  readonly since: number;
}

/** An episode as a page shows it: a run of ours, or a trajectory of anyone's. */
export interface Recording {
  readonly source: "run" | "trajectory";
  readonly instanceId: string | null;
  readonly task: string;
  readonly model: string | null;
  /** The run's arm, or the format of a file. */
  readonly arm: string;
  /** An exit status in its harness's words; `running`; null: not recorded. */
  readonly status: string | null;
  readonly reason: string | null;
  /** null: it has ended, or is a file. */
  readonly activity: Activity | null;
  readonly turns: readonly RecordedTurn[];
  readonly notices: readonly string[];
  /** The tree of a run that searched; null: it did not. */
  readonly search: SearchState | null;
  readonly patch: PatchRecord | null;
  /** The text of the submission, where the record holds it. */
  readonly submission: string | null;
  /** US dollars; null: not known. */
  readonly cost: number | null;
  readonly tokens: {
    readonly input: number;
    readonly cached: number;
    readonly output: number;
  } | null;
  /** null: not recorded. */
  readonly seconds: number | null;
  /** Epoch ms; null: not recorded. */
  readonly startedAt: number | null;
  /** Plan and memory were at work in the episode; else what is shown is what they would have said. */
  readonly advised: boolean;
  /** How plan and memory begin. */
  readonly options: SubstrateOptions;
  /** The file ends inside the episode. */
  readonly cut: boolean;
}
