import type { Verdict } from "../domain/plan.ts";
import { begin, observe } from "../substrate/observe.ts";
import {
  type Advice,
  noEvidence,
  type SubstrateOptions,
  type SubstrateState,
} from "../substrate/state.ts";
import {
  callKey,
  type HostRecord,
  type StepRecord,
  type TaskRecord,
} from "../trajectories/host-log.ts";

/** A session as its log tells it. Plain JSON. */
export interface SessionState {
  /** Turns so far. */
  readonly turns: number;
  /** The newest turn has further calls to come. */
  readonly isOpen: boolean;
  /** Keys of the newest calls, so that one that is told twice counts once. */
  readonly seen: readonly string[];
  readonly verdict: Verdict;
  /** Blocks so far. */
  readonly blocks: number;
  /** null: nothing has begun yet. */
  readonly substrate: SubstrateState | null;
}

export const nothingYet: SessionState = {
  turns: 0,
  isOpen: false,
  seen: [],
  verdict: "undefined",
  blocks: 0,
  substrate: null,
};

/** What decides plan and memory, and where the repository lies as commands see it. */
export interface SessionRules {
  readonly config: SubstrateOptions["config"];
  readonly root: string;
}

export interface Folded {
  readonly state: SessionState;
  /** Of a call; null for other records, and for a call that was told before. */
  readonly advice: Advice | null;
}

/** Calls that are remembered: two tellings of one follow each other closely (our choice). */
const rememberedCalls = 100;

/** A session after one more record of its log. Pure; the same records give the same state. */
export function fold(state: SessionState, record: HostRecord, rules: SessionRules): Folded {
  switch (record.type) {
    case "task":
      return { state: beginTask(state, record, rules), advice: null };
    case "step":
      return foldStep(state, record, rules);
    case "verdict":
      return { state: { ...state, verdict: record.verdict }, advice: null };
    case "compacted":
      return { state: forgetShown(state), advice: null };
    case "session":
      return { state, advice: null };
  }
}

/**
 * Whether a prompt begins an episode: the first one does, and one that comes when all of the plan is
 * done. Others ("go on", "and the tests?") belong to the work that stands open (our choice).
 */
export function beginsEpisode({ substrate, turns }: SessionState): boolean {
  if (substrate === null) return turns === 0;
  const { plan } = substrate;
  return plan !== null && turns > 0 && plan.queue.every(({ status }) => status === "done");
}

function beginTask(
  state: SessionState,
  { text, files, reproducer }: TaskRecord,
  { config, root }: SessionRules,
): SessionState {
  const listed = files === undefined ? {} : { files };
  const substrate = begin(text, { config, root, ...listed, reproducer: reproducer ?? null });
  return { ...nothingYet, seen: state.seen, blocks: state.blocks, substrate };
}

function foldStep(before: SessionState, record: StepRecord, rules: SessionRules): Folded {
  const key = callKey(record);
  if (key !== null && before.seen.includes(key)) return { state: before, advice: null };
  const state =
    before.substrate === null ? beginTask(before, { type: "task", text: "" }, rules) : before;
  const { substrate, isOpen, turns, verdict, blocks, seen } = state;
  if (substrate === null) return { state, advice: null };
  const { thought, command, output, exitCode, timedOut, more = false } = record;
  const index = isOpen ? turns : turns + 1;
  const step = { index, thought, command, output, exitCode, timedOut, more };
  const observed = observe(substrate, step, { ...noEvidence, verdict });
  const next: SessionState = {
    turns: index,
    isOpen: more,
    seen: key === null ? seen : [...seen, key].slice(-rememberedCalls),
    verdict,
    blocks: blocks + (observed.advice.block === null ? 0 : 1),
    substrate: observed.state,
  };
  return { state: next, advice: observed.advice };
}

function forgetShown(state: SessionState): SessionState {
  const { substrate } = state;
  if (substrate === null) return state;
  const injection = { ...substrate.injection, shown: [] };
  return { ...state, substrate: { ...substrate, injection } };
}
