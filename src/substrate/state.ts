import type { RunConfig } from "../domain/config/run-config.ts";
import type { Step } from "../domain/episode.ts";
import type { ExportedSignal, PlanEvent, PlanState, Verdict } from "../domain/plan.ts";
import type { Rules } from "./couplings.ts";
import type { InjectionState } from "./injection/firing.ts";
import type { Memory } from "./memory/memory.ts";
import type { Detection } from "./planner/detect.ts";
import type { LoopState } from "./planner/loop-hint.ts";
import type { ShellAction } from "./shell/action.ts";
import type { ShellMemory } from "./shell/memory.ts";

export interface SubstrateOptions {
  /** Of a run's configuration, the parts that the substrate reads. */
  readonly config: Pick<RunConfig, keyof Rules>;
  /** Absolute path of the repository, where each command starts. */
  readonly root: string;
  /** Tracked files, relative to the root; left out, they are inferred from use. */
  readonly files?: readonly string[];
  /** The reply to the decomposition request; left out or null, a fixed plan stands in. */
  readonly decomposition?: string | null;
  /** Where the admitted reproduction script lies, as commands name it; there may be none. */
  readonly reproducer?: string | null;
}

/** What happened in a turn of several calls before its last. */
export interface OpenTurn {
  readonly backtracked: boolean;
  readonly submits: boolean;
  readonly stuck: StuckCheck | null;
  readonly hint: string | null;
}

/** A stuck check that fired; `suppressed` null is a backtrack. */
type StuckCheck = Extract<PlanEvent, { type: "stuck" }>;

/** Everything that is known of an episode. Plain JSON: stored and read back it goes on the same. */
export interface SubstrateState {
  readonly rules: Rules;
  readonly root: string;
  /** Tracked files in ascending order; null: not known. */
  readonly files: readonly string[] | null;
  readonly reproducer: string | null;
  readonly shell: ShellMemory;
  /** null: there is no planner. */
  readonly plan: PlanState | null;
  /** null: there is no memory. */
  readonly memory: Memory | null;
  readonly loop: LoopState;
  readonly injection: InjectionState;
  readonly turn: OpenTurn;
}

/** One executed call, or a turn that ran none. */
export interface ObservedStep extends Omit<Step, "command"> {
  /** null: the turn held no call. */
  readonly command: string | null;
  /** Further calls of this turn follow; advice waits for the last of them. */
  readonly more?: boolean;
  /** Its harness refused the reply and ran nothing: it is classified and leaves no other trace. */
  readonly rejected?: boolean;
  /** Messages that answered a turn of which nothing ran; 1 if left out. */
  readonly answers?: number;
}

/** What the environment showed of the tree after a step. */
export interface Evidence {
  /** Of the reproduction script, on this tree. */
  readonly verdict: Verdict;
  /** Files whose integrity was checked at this step, and those of them that do not parse. */
  readonly checked: readonly string[];
  readonly corrupt: readonly string[];
  /** What identifies the tree; null when nobody compared trees. */
  readonly tree: string | null;
}

export const noEvidence: Evidence = {
  verdict: "undefined",
  checked: [],
  corrupt: [],
  tree: null,
};

/** What one call changed, and what the model should be shown at the end of its turn. */
export interface Advice {
  /** To be appended, after a blank line, to the newest tool result; null: nothing is due. */
  readonly block: string | null;
  /** One line about a loop that showed in this turn; it stands in the block. */
  readonly hint: string | null;
  /** null: the turn held no call. */
  readonly action: ShellAction | null;
  /** What the call was taken for; null without a planner. */
  readonly detection: Omit<Detection, "next"> | null;
  /** Where the plan stands now; `backtrack` is the turn's. null without a planner. */
  readonly signal: ExportedSignal | null;
  /** The newest stuck check of this turn that fired. */
  readonly stuck: StuckCheck | null;
  /** All that the call did to the plan, in order. */
  readonly log: readonly PlanEvent[];
  /** Ids of the recalled nodes, in the order in which they are worth showing. */
  readonly retrieved: readonly number[];
}
