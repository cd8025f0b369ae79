import type { Phase, PolicyPhase } from "../domain/phase.ts";
import type { ExportedSignal, PlanEvent, SubTask, Verdict } from "../domain/plan.ts";
import { understandNext } from "../substrate/command.ts";
import { evidenceAfter } from "../substrate/evidence.ts";
import { begin, observe } from "../substrate/observe.ts";
import {
  type Advice,
  type Evidence,
  noEvidence,
  type ObservedStep,
  type SubstrateState,
} from "../substrate/state.ts";
import { type Counts, countsAfter, mostOf } from "./counts.ts";
import { type RecallView, recallOf } from "./recall-view.ts";
import type { RecordedCall, RecordedTurn, Recording } from "./recording.ts";

/** What plan and memory made of one turn. */
export interface Insight {
  /** Where the plan stands after it; null without a planner. */
  readonly phase: PolicyPhase | null;
  /** A verification has succeeded since the last edit. */
  readonly proven: boolean;
  readonly detected: Phase | null;
  /** Name of the detector's rule; null without a planner. */
  readonly rule: string | null;
  /** inspect, test, edit, …; none. */
  readonly kind: string;
  readonly reads: readonly string[];
  readonly edits: readonly string[];
  readonly reverts: readonly string[];
  /** It edited a source file, or something that the text does not tell. */
  readonly sourceEdit: boolean;
  /** All that it did to the plan. */
  readonly log: readonly PlanEvent[];
  /** Items that it opened. */
  readonly opened: readonly SubTask[];
  readonly stuck: Advice["stuck"];
  readonly hint: string | null;
  /** Id of the active sub-task. */
  readonly active: string | null;
  readonly done: number;
  readonly total: number;
  readonly counts: Counts;
  readonly verdict: Verdict;
  readonly block: string | null;
  /** null: memory was not asked. */
  readonly recall: RecallView | null;
}

/** Plan and memory between two turns. */
export interface Standing {
  readonly state: SubstrateState;
  readonly evidence: Evidence;
}

export function beginStanding({ task, options }: Recording): Standing {
  return { state: begin(task, options), evidence: noEvidence };
}

/** One turn through plan and memory, as it went when it was recorded. */
export function lookInto(
  before: Standing,
  turn: RecordedTurn,
): { readonly after: Standing; readonly insight: Insight } {
  let standing = before;
  const calls: ObservedCall[] = [];
  for (const { step, call } of turn.observed) {
    const observed = observeCall(standing, step, call === null ? undefined : turn.calls[call]);
    calls.push(observed);
    standing = observed.after;
  }
  return { after: standing, insight: insightOf(standing, calls) };
}

interface ObservedCall {
  readonly advice: Advice;
  readonly after: Standing;
  readonly counts: Counts;
  readonly rejected: boolean;
}

function observeCall(
  { state: before, evidence: known }: Standing,
  step: ObservedStep,
  call: RecordedCall | undefined,
): ObservedCall {
  const evidence = evidenceAfter(known, call ?? nothingFound, () => mutates(before, step));
  const { state, advice } = observe(before, step, evidence);
  const counts = countsAfter(before, { step, advice, state });
  return { advice, after: { state, evidence }, counts, rejected: step.rejected === true };
}

const nothingFound = { integrity: null, verdict: null };

function mutates(state: SubstrateState, { command }: ObservedStep): boolean {
  return command !== null && understandNext(state, command).action.mutating;
}

function insightOf({ state, evidence }: Standing, calls: readonly ObservedCall[]): Insight {
  const all = calls.map(({ advice }) => advice);
  const { stuck, hint, block, signal } = all.at(-1) ?? nothing;
  const log = all.flatMap((advice) => advice.log);
  const recalling = calls.at(-1);
  return {
    ...placeOf(signal),
    ...detectionOf(all),
    ...filesIn(calls),
    proven: state.plan?.chart.proven ?? false,
    log,
    opened: state.plan?.stack.filter(({ id }) => isOpened(id, log)) ?? [],
    stuck,
    hint,
    counts: calls.reduce((most, { counts }) => mostOf(most, counts), {}),
    verdict: evidence.verdict,
    block,
    recall: recalling && !recalling.rejected ? recallOf(state, recalling.advice) : null,
  };
}

const nothing = { stuck: null, hint: null, block: null, signal: null };

function placeOf(signal: ExportedSignal | null) {
  if (signal === null) return { phase: null, active: null, done: 0, total: 0 };
  const { policyPhase, activeSubTask, done, total } = signal;
  return { phase: policyPhase, active: activeSubTask?.id ?? null, done, total };
}

function detectionOf(all: readonly Advice[]) {
  const proposing = all.findLast(({ detection }) => detection?.phase) ?? all.at(-1);
  const { phase = null, rule = null } = proposing?.detection ?? {};
  return { detected: phase, rule, kind: kindOf(all) };
}

/** A submission if any call is one, else the last call of any kind. */
function kindOf(advice: readonly Advice[]): string {
  const kinds = advice.flatMap(({ detection }) => detection?.kind ?? []);
  if (kinds.includes("submit")) return "submit";
  return kinds.findLast((kind) => kind !== "none") ?? "none";
}

/** Folders are searched and listed all the time; what tells something are files. */
const isFile = (path: string) => /[^/]\.\w+$/.test(path);

function filesIn(calls: readonly ObservedCall[]) {
  const actions = calls.flatMap(({ advice, rejected }) => (rejected ? [] : (advice.action ?? [])));
  const distinct = (paths: readonly string[]) => [...new Set(paths)].filter(isFile);
  const segments = actions.flatMap((action) => action.segments);
  return {
    reads: distinct(actions.flatMap(({ reads }) => reads.map(({ path }) => path))),
    edits: distinct(actions.flatMap(({ writes, deleted }) => [...writes, ...deleted])),
    reverts: distinct(actions.flatMap(({ reverted }) => reverted)),
    sourceEdit: segments.some(
      (segment) => segment.class === "edit" && (segment.unresolved || segment.source.length > 0),
    ),
  };
}

function isOpened(id: string, log: readonly PlanEvent[]): boolean {
  return log.some(
    (event) => event.type === "subtask" && event.change === "opened" && event.id === id,
  );
}
