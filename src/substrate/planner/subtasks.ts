import type { PlannerConfig } from "../../domain/config/planner.ts";
import { type Phase, rankOf } from "../../domain/phase.ts";
import type { PlanEvent, SubTask } from "../../domain/plan.ts";

/** The plan's items: the decomposition in order, and the open recovery items, the last on top. */
export interface Items {
  readonly queue: readonly SubTask[];
  readonly stack: readonly SubTask[];
}

/** Where the episode stands after a call's phase decision. */
export interface Standing {
  readonly phase: Phase;
  /** What the detector proposed; null leaves every count as it is. */
  readonly proposal: Phase | null;
  /** Verification has succeeded and nothing was edited since. */
  readonly proven: boolean;
}

export interface Swept extends Items {
  readonly log: readonly PlanEvent[];
}

/** When items close without having been followed by a later phase. */
export type ClosingRules = Pick<PlannerConfig, "skipAfter" | "dwell">;

/** Top of the stack, else the first pending item of the queue. */
export function activeItem({ queue, stack }: Items): SubTask | null {
  return stack.at(-1) ?? queue.find((item) => item.status === "pending") ?? null;
}

/**
 * Counts one call as evidence: for every pending plan item of the standing phase, and for the top
 * of the stack, where the raw proposal counts too, so that one diagnostic call is evidence while
 * hysteresis still holds the phase (our choice). Items that the episode has passed without
 * evidence count how long.
 */
export function credit({ queue, stack }: Items, standing: Standing): Items {
  if (standing.proposal === null) return { queue, stack };
  const { phase, proposal } = standing;
  return {
    queue: queue.map((item) =>
      item.status === "pending" ? count(item, item.phase === phase, phase) : item,
    ),
    stack: stack.map((item, index) =>
      index === stack.length - 1
        ? count(item, item.phase === phase || item.phase === proposal, phase)
        : item,
    ),
  };
}

function count(item: SubTask, works: boolean, phase: Phase): SubTask {
  const evidence = item.evidence + (works ? 1 : 0);
  const isPassed = evidence === 0 && rankOf(phase) > rankOf(item.phase);
  return { ...item, evidence, passed: isPassed ? item.passed + 1 : 0 };
}

/** Notes which of the top item's files have been put back; null: all of them. */
export function creditRestored({ queue, stack }: Items, restored: readonly string[] | null): Items {
  const top = stack.at(-1);
  if (top === undefined) return { queue, stack };
  const back = top.files.filter(
    (file) => restored === null || restored.includes(file) || top.restored.includes(file),
  );
  return { queue, stack: [...stack.slice(0, -1), { ...top, restored: back }] };
}

/**
 * Closes what the evidence completes, stack before queue, until nothing changes. The proven
 * terminal item closes everything else as skipped. A failed plan item is opened again at its place
 * once the stack is empty.
 */
export function sweep(items: Items, standing: Standing, rules: ClosingRules): Swept {
  let swept: Swept = { ...items, log: [] };
  for (;;) {
    const next = sweepStack(swept, standing, rules) ?? sweepQueue(swept, standing, rules);
    if (next === null) return swept;
    swept = next;
  }
}

function sweepStack(
  { queue, stack, log }: Swept,
  standing: Standing,
  rules: ClosingRules,
): Swept | null {
  const top = stack.at(-1);
  const outcome = top && (outcomeOf(top, standing, rules) ?? early(top, stack.at(-2), rules));
  if (!outcome) return null;
  const rest = stack.slice(0, -1);
  const closed = { queue, stack: rest, log: [...log, closing(top, outcome)] };
  return rest.length === 0 ? reopen(closed) : closed;
}

function sweepQueue(
  { queue, stack, log }: Swept,
  standing: Standing,
  rules: ClosingRules,
): Swept | null {
  for (const [index, item] of queue.entries()) {
    const outcome = item.status === "pending" && outcomeOf(item, standing, rules);
    if (!outcome) continue;
    const closed = {
      queue: queue.with(index, close(item, outcome)),
      stack,
      log: [...log, closing(item, outcome)],
    };
    return item.terminal ? closeRest(closed) : closed;
  }
  return null;
}

interface Outcome {
  readonly change: "done" | "skipped";
  readonly reason: string;
}

/**
 * Why an item is complete now, or null. An item of phase verify has no later phase to move on to:
 * the proof completes it.
 */
function outcomeOf(item: SubTask, standing: Standing, rules: ClosingRules): Outcome | null {
  if (item.phase === "verify") return standing.proven ? done("verification succeeded") : null;
  if (rankOf(standing.phase) > rankOf(item.phase) && item.evidence >= 1) {
    return done(`moved on to ${standing.phase}`);
  }
  if (item.passed < rules.skipAfter) return null;
  return { change: "skipped", reason: `passed ${item.passed} times without evidence` };
}

/**
 * A recovery item whose successor is of no later phase can be done before its phase is passed: the
 * successor would pull the phase down first.
 */
function early(item: SubTask, below: SubTask | undefined, rules: ClosingRules): Outcome | null {
  const leadsDown = below?.recovery === item.recovery && rankOf(below.phase) <= rankOf(item.phase);
  if (!leadsDown) return null;
  const { files, restored, evidence } = item;
  if (files.length > 0 && files.every((file) => restored.includes(file))) {
    return done("its files are restored");
  }
  return evidence >= rules.dwell ? done(`${evidence} calls worked on it`) : null;
}

function done(reason: string): Outcome {
  return { change: "done", reason };
}

function close(item: SubTask, { change }: Outcome): SubTask {
  return { ...item, status: "done", skipped: change === "skipped" };
}

function closing({ id }: SubTask, outcome: Outcome): PlanEvent {
  return { type: "subtask", id, ...outcome };
}

/** The plan is fulfilled: nothing else stays open. */
function closeRest({ queue, stack, log }: Swept): Swept {
  const outcome: Outcome = { change: "skipped", reason: "the plan is fulfilled" };
  const open = queue.filter((item) => item.status !== "done");
  return {
    queue: queue.map((item) => (item.status === "done" ? item : close(item, outcome))),
    stack: [],
    log: [
      ...log,
      ...[...stack]
        .reverse()
        .concat(open)
        .map((item) => closing(item, outcome)),
    ],
  };
}

function reopen({ queue, stack, log }: Swept): Swept {
  const failed = queue.filter((item) => item.status === "failed");
  return {
    queue: queue.map((item) =>
      item.status === "failed"
        ? { ...item, status: "pending", evidence: 0, passed: 0, failReason: null }
        : item,
    ),
    stack,
    log: [...log, ...failed.map(({ id }) => reopening(id))],
  };
}

function reopening(id: string): PlanEvent {
  return { type: "subtask", id, change: "reopened", reason: "its recovery is closed" };
}

/** Marks the active item as failed; a recovery item leaves the stack and stays closed. */
export function failActive(
  items: Items,
  reason: string,
): Items & { readonly failed: SubTask | null } {
  const { queue, stack } = items;
  const active = activeItem(items);
  if (active === null) return { queue, stack, failed: null };
  const failed: SubTask = { ...active, status: "failed", failReason: reason };
  if (stack.length > 0) return { queue, stack: stack.slice(0, -1), failed };
  return { queue: queue.map((item) => (item.id === active.id ? failed : item)), stack, failed };
}
