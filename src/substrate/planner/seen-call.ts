import type { PlannerConfig } from "../../domain/config/planner.ts";
import type { DetectorState } from "../../domain/plan.ts";
import type { Segment, SegmentClass, ShellAction } from "../shell/action.ts";
import {
  isLastingTest,
  namesPackages,
  namesVersion,
  putsProbeIn,
  takesProbeOut,
} from "./look-around.ts";
import { type TextSignals, textSignals } from "./text-signals.ts";

/** One call as the detector sees it; `action` null: the turn held no call. */
export interface DetectInput {
  /** What the model said in the turn. */
  readonly text: string;
  readonly command: string;
  readonly action: ShellAction | null;
  /** It wrote a script that will change source when run. */
  readonly preparesEdit: boolean;
  /** Where the admitted reproduction script lies; null when there is none. */
  readonly reproducer: string | null;
}

export type DetectRules = Pick<PlannerConfig, "testBeforeEditIsHypothesis">;

export const noEdits: DetectorState = {
  sourceEdits: 0,
  repaired: false,
  probing: false,
  edited: [],
  fresh: [],
  scratch: [],
};

/** A call with what the rules ask of it. */
export interface SeenCall extends DetectInput {
  readonly action: ShellAction;
  readonly signals: TextSignals;
  readonly state: DetectorState;
  /** A fix stands in the tree: what is run now checks it, what was run before looked for the cause. */
  readonly fixing: boolean;
  readonly rules: DetectRules;
}

/** A call without any command. */
const silence: ShellAction = {
  normalized: null,
  segments: [],
  reads: [],
  edited: [],
  created: [],
  deleted: [],
  reverted: [],
  captured: [],
  writes: [],
  changed: [],
  mutating: false,
  lastHead: null,
};

/** Lays one call out for the rules. */
export function seenCall(state: DetectorState, input: DetectInput, rules: DetectRules): SeenCall {
  return {
    ...input,
    action: input.action ?? silence,
    signals: textSignals(input.text),
    state,
    fixing: state.repaired && !state.probing,
    rules,
  };
}

export const does =
  (...classes: readonly SegmentClass[]) =>
  ({ action }: SeenCall): boolean =>
    action.segments.some((segment) => classes.includes(segment.class));

function isSourceEdit(segment: Segment): boolean {
  return segment.class === "edit" && (segment.source.length > 0 || segment.unresolved);
}

export function editsSource({ action }: SeenCall): boolean {
  return action.segments.some(isSourceEdit);
}

export function probesSource(seen: SeenCall): boolean {
  const edits = editsSource(seen) || seen.preparesEdit;
  return edits && putsProbeIn(seen.command, seen.action);
}

export function preparesEdit({ preparesEdit: prepares, action }: SeenCall): boolean {
  return prepares || action.writes.some(isLastingTest);
}

export function asksForVersion(seen: SeenCall): boolean {
  return does("execute", "other")(seen) && !seen.fixing && namesVersion(seen.action);
}

export function asksAboutTools(seen: SeenCall): boolean {
  return does("inspect")(seen) && (namesVersion(seen.action) || namesPackages(seen.action));
}

/** Where the output is caught in a file nobody looks at it. */
export function reviewsOrSetsUp(seen: SeenCall): boolean {
  return does("review", "setup")(seen) && seen.action.captured.length === 0;
}

/** Files that it edited last or wrote for itself, or, when it says so, any that it has edited. */
export function readsOwnWork(seen: SeenCall): boolean {
  const { action, state, signals } = seen;
  if (!does("inspect", "review")(seen) || action.reads.length === 0) return false;
  const paths = action.reads.map(({ path }) => path);
  const own = signals.verifies ? [...state.fresh, ...state.edited] : state.fresh;
  return (
    paths.some((path) => own.includes(path)) || paths.every((path) => state.scratch.includes(path))
  );
}

export function looksForCause(seen: SeenCall): boolean {
  const { diagnoses, explores } = seen.signals;
  return does("inspect", "review")(seen) && diagnoses && !explores;
}

export function remember(seen: SeenCall): DetectorState {
  const { state, action, command } = seen;
  const source = action.segments.filter(isSourceEdit).flatMap((segment) => segment.source);
  const isEdit = editsSource(seen);
  const isProbe = probesSource(seen);
  const isRepair = isEdit && !isProbe && !takesProbeOut(command);
  const touched = [...source, ...action.reverted];
  const written = action.writes.filter((path) => !source.includes(path));
  const isQuiet = action.segments.every(({ class: kind }) => quiet.includes(kind));
  return {
    sourceEdits: state.sourceEdits + (isEdit ? 1 : 0),
    repaired: state.repaired || isRepair,
    probing: isEdit ? isProbe : state.probing,
    edited: union(state.edited, source),
    fresh: touched.length > 0 ? touched : isQuiet ? state.fresh : [],
    scratch: union(state.scratch, written),
  };
}

const quiet: readonly SegmentClass[] = ["inspect", "review", "neutral"];

function union(before: readonly string[], more: readonly string[]): readonly string[] {
  return more.every((item) => before.includes(item)) ? before : [...new Set([...before, ...more])];
}
