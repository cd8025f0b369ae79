import { initialTransition, transition } from "xstate";
import { type PhaseEvent, type PhaseRules, phaseChart } from "../../../statecharts/phase.ts";
import { type Phase, phases } from "../../domain/phase.ts";
import type { ChartState } from "../../domain/plan.ts";

type Snapshot = ReturnType<typeof phaseChart.resolveState>;

/** The chart's initial state as plain JSON. */
export function beginPhase(rules: PhaseRules): ChartState {
  return toState(initialTransition(phaseChart, rules)[0]);
}

/** One event through the chart, from plain JSON to plain JSON. */
export function nextPhase(state: ChartState, event: PhaseEvent, rules: PhaseRules): ChartState {
  return toState(transition(phaseChart, toSnapshot(state, rules), event)[0]);
}

/** The phase that bookkeeping stands on: backtracking re-enters at explore (Fig. 3). */
export function phaseOf(state: ChartState): Phase {
  return state.at === "backtrack" ? "explore" : state.at;
}

function toSnapshot(state: ChartState, rules: PhaseRules): Snapshot {
  const { at, proven, pending, lastBacktrack } = state;
  const value = at === "verify" ? { verify: proven ? "proven" : "unproven" } : at;
  return phaseChart.resolveState({ value, context: { rules, pending, lastBacktrack } });
}

function toState(snapshot: Snapshot): ChartState {
  const { pending, lastBacktrack } = snapshot.context;
  return {
    at: phases.find((phase) => snapshot.matches(phase)) ?? "backtrack",
    proven: snapshot.matches({ verify: "proven" }),
    pending,
    lastBacktrack,
  };
}
