import { PlannerConfig, StuckConfig } from "../../../src/domain/config/planner.ts";
import type { MemoryStats, PlanState } from "../../../src/domain/plan.ts";
import {
  type Advance,
  advancePlan,
  beginPlan,
  type PlanInput,
  type PlanOptions,
} from "../../../src/substrate/planner/plan.ts";
import type { Segment, SegmentClass, ShellAction } from "../../../src/substrate/shell/action.ts";

const nothing = {
  reads: [],
  edited: [],
  created: [],
  deleted: [],
  reverted: [],
  captured: [],
} as const;

/** A command of one segment, understood. */
export function action(kind: SegmentClass, fields: Partial<Segment> = {}): ShellAction {
  const segment: Segment = {
    class: kind,
    head: "",
    unresolved: false,
    source: [],
    targets: [],
    script: null,
    decisive: true,
    ...nothing,
    ...fields,
  };
  const { reads, edited, created, deleted, reverted, captured } = segment;
  const writes = [...edited, ...created];
  return {
    ...{ reads, edited, created, deleted, reverted, captured },
    normalized: kind,
    segments: [segment],
    writes,
    changed: [...writes, ...deleted, ...reverted, ...captured],
    mutating: kind === "edit" || kind === "revert",
    lastHead: segment.head,
  };
}

export const reading = (path: string) => action("inspect", { reads: [{ path, lines: [] }] });
export const editing = (path: string) => action("edit", { edited: [path], source: [path] });
export const scratching = (path: string) => action("edit", { created: [path] });
export const reverting = (...reverted: string[]) => action("revert", { reverted });
export const testing = action("test");
export const running = (script: string) => action("execute", { script });

export const quietStats: MemoryStats = {
  step: 1,
  editCount: {},
  editsSinceReset: {},
  editsSincePass: {},
  readsSinceEdit: 0,
  readsSinceCheck: 0,
  consecutiveFailures: 0,
  actionCount: {},
  topTouched: [],
  corrupt: [],
  sourceEdits: 0,
};

/** A call with what a test does not care about filled in. */
export function call(fields: Partial<PlanInput>): PlanInput {
  return {
    step: 1,
    text: "",
    command: "",
    action: null,
    preparesEdit: false,
    reproducer: null,
    exitCode: 0,
    output: "",
    stats: quietStats,
    verdict: "undefined",
    ...fields,
  };
}

export const options: PlanOptions = {
  planner: PlannerConfig.parse({}),
  stuck: StuckConfig.parse({}),
  couplings: { statsPlan: true, verdictPlan: true },
};

export const { state: start } = beginPlan({ issue: "`flush` fails", reply: null }, options);

/** The calls, one a step from step 1. */
export function walk(
  calls: readonly Partial<PlanInput>[],
  from: PlanState = start,
  given: PlanOptions = options,
): readonly Advance[] {
  let state = from;
  return calls.map((fields, index) => {
    const advance = advancePlan(state, call({ step: index + 1, ...fields }), given);
    state = advance.state;
    return advance;
  });
}

export const does = (...actions: PlanInput["action"][]) => actions.map((one) => ({ action: one }));
export const phasesOf = (advances: readonly Advance[]) =>
  advances.map(({ signal }) => signal.phase);
export const last = (advances: readonly Advance[]): Advance => {
  const advance = advances.at(-1);
  if (!advance) throw new Error("no step");
  return advance;
};
