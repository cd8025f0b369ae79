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

/** Calls past its phase after which an item without evidence is skipped (our choice: 3). */
const passedLimit = 3;
/** Calls on one recovery item whose successor would lead down again (our choice: 3). */
const dwellLimit = 3;

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

/** Notes which of the top item's files a revert has touched. */
export function creditRestored({ queue, stack }: Items, restored: readonly string[]): Items {
  const top = stack.at(-1);
  if (top === undefined || restored.length === 0) return { queue, stack };
  const more = top.files.filter((file) => restored.includes(file) && !top.restored.includes(file));
  const noted = { ...top, restored: [...top.restored, ...more] };
  return { queue, stack: [...stack.slice(0, -1), noted] };
}

/**
 * Closes what the evidence completes, stack before queue, until nothing changes. The proven
 * terminal item closes everything else as skipped. A failed plan item is opened again at its place
 * once the stack is empty.
 */
export function sweep(items: Items, standing: Standing): Swept {
  let swept: Swept = { ...items, log: [] };
  for (;;) {
    const next = sweepStack(swept, standing) ?? sweepQueue(swept, standing);
    if (next === null) return swept;
    swept = next;
  }
}

function sweepStack({ queue, stack, log }: Swept, standing: Standing): Swept | null {
  const top = stack.at(-1);
  const outcome = top && outcomeOf(top, standing, stack.at(-2));
  if (!outcome) return null;
  const rest = stack.slice(0, -1);
  const closed = { queue, stack: rest, log: [...log, closing(top, outcome)] };
  return rest.length === 0 ? reopen(closed) : closed;
}

function sweepQueue({ queue, stack, log }: Swept, standing: Standing): Swept | null {
  for (const [index, item] of queue.entries()) {
    const outcome = item.status === "pending" && outcomeOf(item, standing, undefined);
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
 * the proof completes it. `below` is what lies under a recovery item on the stack.
 */
function outcomeOf(item: SubTask, standing: Standing, below: SubTask | undefined): Outcome | null {
  if (item.phase === "verify") return standing.proven ? done("verification succeeded") : null;
  if (rankOf(standing.phase) > rankOf(item.phase) && item.evidence >= 1) {
    return done(`moved on to ${standing.phase}`);
  }
  if (item.passed >= passedLimit) {
    return { change: "skipped", reason: `passed ${item.passed} times without evidence` };
  }
  return below && leadsDown(item, below) ? outcomeBeforeDescent(item) : null;
}

function done(reason: string): Outcome {
  return { change: "done", reason };
}

/** The next item of the same recovery is not of a later phase, so its phase never passes this one. */
function leadsDown(item: SubTask, below: SubTask): boolean {
  return below.recovery === item.recovery && rankOf(below.phase) <= rankOf(item.phase);
}

function outcomeBeforeDescent(item: SubTask): Outcome | null {
  const isRestored =
    item.files.length > 0 && item.files.every((file) => item.restored.includes(file));
  if (isRestored) return done("its files are restored");
  return item.evidence >= dwellLimit ? done(`${item.evidence} calls worked on it`) : null;
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
