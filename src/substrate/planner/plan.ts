import type { Check } from "../../../statecharts/phase.ts";
import type { PlannerConfig, StuckConfig } from "../../domain/config/planner.ts";
import type {
  ExportedSignal,
  MemoryStats,
  PlanEvent,
  PlanState,
  Verdict,
} from "../../domain/plan.ts";
import { failedRunner } from "../shell/test-summary.ts";
import { type Decomposition, parseDecomposition } from "./decompose.ts";
import { type Detection, detect } from "./detect.ts";
import { beginPhase, nextPhase, phaseOf } from "./phase-state.ts";
import { type Replanned, replan } from "./replan.ts";
import { type DetectInput, noEdits } from "./seen-call.ts";
import { exportSignal } from "./signal.ts";
import { credit, creditRestored, type Standing, sweep } from "./subtasks.ts";

export interface PlanOptions {
  readonly planner: PlannerConfig;
  readonly stuck: StuckConfig;
  /** Which couplings feed the plan; without one its facts count as unknown. */
  readonly couplings: { readonly statsPlan: boolean; readonly verdictPlan: boolean };
}

/** One executed call, or a turn without any (`action` and `exitCode` null). */
export interface PlanInput extends DetectInput {
  /** The assistant turn, from 1. */
  readonly step: number;
  /** null: unknown, neither success nor failure. */
  readonly exitCode: number | null;
  readonly output: string;
  /** Memory's statistics with this call counted; null when memory is off. */
  readonly stats: MemoryStats | null;
  readonly verdict: Verdict;
}

export interface Advance {
  readonly state: PlanState;
  readonly signal: ExportedSignal;
  readonly detection: Detection;
  readonly log: readonly PlanEvent[];
}

/** A plan at the start: the decomposition out of the model's reply, or its skeleton. */
export function beginPlan(
  { issue, reply }: { readonly issue: string; readonly reply: string | null },
  { planner }: Pick<PlanOptions, "planner">,
): { readonly state: PlanState; readonly fallback: Decomposition["fallback"] } {
  const { queue, fallback } = parseDecomposition(reply, issue);
  const state: PlanState = {
    chart: beginPhase(planner),
    detector: noEdits,
    queue,
    stack: [],
    failed: null,
    backtracks: 0,
    failures: 0,
  };
  return { state, fallback };
}

/**
 * One call through the plan: the phase decision, evidence, completion, and the stuck check, in this
 * order. Deterministic, without model calls; never throws.
 */
export function advancePlan(state: PlanState, input: PlanInput, options: PlanOptions): Advance {
  const known = withCouplings(input, options);
  const detection = detect(state.detector, known, options.planner);
  const decided = decide(state, known, detection, options);
  const replanned = replan(decided.state, known, options);
  const { step, stats, verdict } = input;
  const moment = { step, stats, verdict, backtrack: replanned.state.backtracks > state.backtracks };
  return {
    state: replanned.state,
    signal: exportSignal(replanned.state, moment, options.planner),
    detection,
    log: [...decided.log, ...replanned.log],
  };
}

function withCouplings(input: PlanInput, { couplings }: PlanOptions): PlanInput {
  return {
    ...input,
    stats: couplings.statsPlan ? input.stats : null,
    verdict: couplings.verdictPlan ? input.verdict : "undefined",
  };
}

function decide(
  state: PlanState,
  input: PlanInput,
  detection: Detection,
  { planner }: PlanOptions,
): Replanned {
  const proposal = detection.phase;
  const event = { type: "STEP", proposal, check: checkOf(detection, input, planner) } as const;
  const chart = nextPhase(state.chart, event, planner);
  const standing: Standing = { phase: phaseOf(chart), proposal, proven: chart.proven };
  const credited = creditRestored(credit(state, standing), restoredBy(input));
  const { queue, stack, log } = sweep(credited, standing, planner);
  const failed = stack.length === 0 ? null : state.failed;
  const failures = failuresAfter(state.failures, input);
  const { at: from } = state.chart;
  return {
    state: { ...state, chart, detector: detection.next, queue, stack, failed, failures },
    log: from === chart.at ? log : [{ type: "phase", from, to: chart.at }, ...log],
  };
}

/**
 * Whether this call completes verification (arXiv:2608.06811, III-E: a zero return code counts only
 * if the latest verdict is not a fail). Our choice: a failure in the output counts as well, because
 * a pipe hides the code; and talk or a glance at the diff shows something only after a pass.
 */
function checkOf(
  { phase, isCheck }: Detection,
  { exitCode, output, verdict }: PlanInput,
  { strictCompletion }: PlannerConfig,
): Check {
  if (phase !== "verify") return null;
  const hasFailed = verdict === "fail" || failedRunner(output) !== null;
  if (isCheck && (hasFailed || (exitCode ?? 0) !== 0)) return "failed";
  if (exitCode !== 0 || hasFailed) return null;
  return isCheck || !strictCompletion || verdict === "pass" ? "passed" : null;
}

/** Files that are back at their committed state, or gone; null: all of them. */
function restoredBy({ action }: PlanInput): readonly string[] | null {
  const reverts = action?.segments.some((segment) => segment.class === "revert") ?? false;
  if (reverts && action?.reverted.length === 0) return null;
  return [...(action?.reverted ?? []), ...(action?.deleted ?? [])];
}

/** Programs whose status 1 means "no match" or "they differ", which is an answer, no failure. */
const answering = ["grep", "egrep", "fgrep", "rg", "ag", "diff", "cmp", "test", "["];

function failuresAfter(failures: number, { exitCode, action }: PlanInput): number {
  if (exitCode === null) return failures;
  if (exitCode === 1 && answering.includes(action?.lastHead ?? "")) return failures;
  return exitCode === 0 ? 0 : failures + 1;
}
