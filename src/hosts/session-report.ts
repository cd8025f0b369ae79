import { filesOf, type Memory } from "../substrate/memory/memory.ts";
import { basePolicy } from "../substrate/memory/policy.ts";
import { retrieve } from "../substrate/memory/retrieve.ts";
import { termsOf } from "../substrate/memory/terms.ts";
import { exportSignal } from "../substrate/planner/signal.ts";
import { recall } from "../substrate/recall.ts";
import type { Advice, SubstrateState } from "../substrate/state.ts";
import type { SessionState } from "./session-state.ts";

/** Where a session stands, for whoever asks. */
export interface Status {
  readonly steps: number;
  readonly blocks: number;
  /** null without a planner, as all that follows from it. */
  readonly phase: string | null;
  readonly done: number;
  readonly total: number;
  readonly backtracks: number;
  readonly plan: readonly {
    readonly id: string;
    readonly title: string;
    readonly phase: string;
    readonly status: string;
  }[];
  /** Files by how often calls touched them, the most touched first. */
  readonly files: readonly { readonly file: string; readonly n: number }[];
  readonly verdict: string;
}

/** What is said of a call. */
export interface Said {
  readonly step: number;
  /** To be appended, after a blank line, to the call's result; null: nothing is due. */
  readonly block: string | null;
  readonly hint: string | null;
  readonly phase: string | null;
  readonly subTask: string | null;
  readonly done: number;
  readonly total: number;
  readonly backtrack: boolean;
  readonly stuck: string | null;
}

export function saidOf(step: number, advice: Advice | null): Said {
  const signal = advice?.signal ?? null;
  return {
    step,
    block: advice?.block ?? null,
    hint: advice?.hint ?? null,
    phase: signal?.policyPhase ?? null,
    subTask: signal?.activeSubTask?.title ?? null,
    done: signal?.done ?? 0,
    total: signal?.total ?? 0,
    backtrack: signal?.backtrack ?? false,
    stuck: advice?.stuck?.reason ?? null,
  };
}

export function statusOf({ substrate, turns, blocks, verdict }: SessionState): Status {
  const plan = substrate?.plan ?? null;
  const items = plan === null ? [] : [...plan.queue, ...plan.stack];
  return {
    steps: turns,
    blocks,
    phase: plan?.chart.at ?? null,
    done: plan?.queue.filter(({ status }) => status === "done").length ?? 0,
    total: plan?.queue.length ?? 0,
    backtracks: plan?.backtracks ?? 0,
    plan: items.map(({ id, title, phase, status }) => ({ id, title, phase, status })),
    files: substrate?.memory?.stats.topTouched ?? [],
    verdict,
  };
}

/** A message that memory holds. */
export interface Recalled {
  readonly id: number;
  readonly turn: number;
  readonly role: string;
  readonly files: readonly string[];
  readonly text: string;
}

/** What memory recalls of the session: of `about`, or of what the plan asks for if that is empty. */
export function recallFrom(
  { substrate, turns, verdict }: SessionState,
  about: string,
): readonly Recalled[] {
  if (substrate?.memory == null) return [];
  const { memory } = substrate;
  const ids = about === "" ? recalledNow(substrate, { turns, verdict }) : found(substrate, about);
  return ids.flatMap((id) => recalledOf(memory, id));
}

function recalledNow(
  { memory, plan, rules }: SubstrateState,
  { turns: step, verdict }: Pick<SessionState, "turns" | "verdict">,
): readonly number[] {
  if (memory === null) return [];
  const moment = { step, stats: memory.stats, verdict, backtrack: false };
  const signal = plan && exportSignal(plan, moment, rules.planner);
  return recall(memory, signal, rules).retrieved;
}

function found({ memory, rules }: SubstrateState, about: string): readonly number[] {
  if (memory === null) return [];
  const words = [...new Set(termsOf(about))].slice(0, rules.memory.anchorWords);
  const anchor = { words, files: [] };
  return retrieve(memory, anchor, basePolicy(rules.memory), rules.memory).recalled;
}

function recalledOf(memory: Memory, id: number): readonly Recalled[] {
  const node = memory.nodes.find((one) => one.id === id);
  if (node === undefined) return [];
  const { turn, role, view: text } = node;
  return [{ id, turn, role, files: filesOf(memory, node), text }];
}
