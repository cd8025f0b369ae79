import type { Phase } from "../domain/phase.ts";
import type { PlanEvent, PlanState, SubTask } from "../domain/plan.ts";
import type { Insight } from "./insight.ts";

type Change = Extract<PlanEvent, { type: "subtask" }>["change"];

/** A sub-task with all that happened to it. */
export interface LadderItem {
  readonly id: string;
  readonly title: string;
  readonly phase: Phase;
  /** The backtrack that opened it, from 1; null for an item of the plan. */
  readonly recovery: number | null;
  /** 0 for items of the plan; a recovery stands one deeper than what failed. */
  readonly depth: number;
  readonly changes: readonly {
    readonly step: number;
    readonly change: Change;
    readonly reason: string;
  }[];
}

interface Opening {
  readonly items: readonly SubTask[];
  /** The item whose failure opened them; null: none was active. */
  readonly failed: string | null;
}

/** The plan as it began, each recovery below the item that failed. `begin` null: no planner. */
export function ladderOf(
  begin: PlanState | null,
  insights: readonly Insight[],
): readonly LadderItem[] {
  const changes = insights.flatMap(({ log }, at) =>
    log.flatMap((event) => (event.type === "subtask" ? [{ step: at + 1, ...event }] : [])),
  );
  const openings = insights.flatMap(openingOf);
  const itemsAt = (items: readonly SubTask[], depth: number): readonly LadderItem[] =>
    items.flatMap(({ id, title, phase, recovery }) => [
      {
        id,
        title,
        phase,
        recovery,
        depth,
        changes: changes
          .filter((change) => change.id === id)
          .map(({ step, change, reason }) => ({ step, change, reason })),
      },
      ...openings
        .filter(({ failed }) => failed === id)
        .flatMap(({ items }) => itemsAt(items, depth + 1)),
    ]);
  return [
    ...itemsAt(begin?.queue ?? [], 0),
    ...openings.filter(({ failed }) => failed === null).flatMap(({ items }) => itemsAt(items, 1)),
  ];
}

function openingOf({ log, opened }: Insight): readonly Opening[] {
  if (opened.length === 0) return [];
  const failed = log.find((event) => event.type === "subtask" && event.change === "failed");
  const items = opened.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return [{ items, failed: failed?.type === "subtask" ? failed.id : null }];
}

/** How an item stands after a step: what happened to it last, or nothing yet. */
export function statusAt(
  { changes, recovery }: LadderItem,
  step: number,
): Change | "open" | "unknown" {
  const last = changes.findLast((change) => change.step <= step);
  if (last === undefined) return recovery === null ? "open" : "unknown";
  return last.change === "opened" || last.change === "reopened" ? "open" : last.change;
}
