import { assign, setup } from "xstate";
import type { Phase } from "../src/domain/phase.ts";
import type { Suppression } from "../src/domain/plan.ts";

/** What a verification step showed; null: nothing either way, or it was none. */
export type Check = "passed" | "failed" | null;

/**
 * STEP: one call was detected. STUCK: after the call's bookkeeping a counter stands at its
 * threshold; `depth` is the goal stack's with the recovery on it.
 */
export type PhaseEvent =
  | { readonly type: "STEP"; readonly proposal: Phase | null; readonly check: Check }
  | { readonly type: "STUCK"; readonly step: number; readonly depth: number };

/** Steps and counts of arXiv:2608.06811, Table II. */
export interface PhaseRules {
  readonly hysteresis: number;
  readonly minBacktrackStep: number;
  readonly cooldown: number;
  readonly stackDepth: number;
}

interface PhaseContext {
  readonly rules: PhaseRules;
  readonly pending: { readonly phase: Phase; readonly count: number } | null;
  readonly lastBacktrack: number | null;
}

function proposalOf(event: PhaseEvent): Phase | null {
  return event.type === "STEP" ? event.proposal : null;
}

function held({ pending }: PhaseContext, phase: Phase): number {
  return pending?.phase === phase ? pending.count : 0;
}

/** Why a stuck agent may not backtrack now, or null. */
export function suppression(
  { rules, lastBacktrack }: Pick<PhaseContext, "rules" | "lastBacktrack">,
  { step, depth }: { readonly step: number; readonly depth: number },
): Suppression | null {
  if (step < rules.minBacktrackStep) return "floor";
  if (lastBacktrack !== null && step - lastBacktrack < rules.cooldown) return "cooldown";
  return depth > rules.stackDepth ? "depth" : null;
}

const forward = <P extends Phase>(phase: P) =>
  ({ guard: { type: "isForward", params: { phase } }, target: phase, actions: "settle" }) as const;
const backward = <P extends Phase>(phase: P) =>
  ({
    guard: { type: "isConfirmedBackward", params: { phase } },
    target: phase,
    actions: "settle",
  }) as const;
const same = (phase: Phase) =>
  ({ guard: { type: "isSame", params: { phase } }, actions: "settle" }) as const;
const hold = { guard: "isBackward", actions: "hold" } as const;

/**
 * The planner's chart (arXiv:2608.06811, Fig. 3). A later phase is taken at once, an earlier one
 * once it was proposed `hysteresis` times in a row; a call that proposes nothing changes nothing.
 * Verification is terminal: no phase is past it, so only a check that passes completes it, and an
 * edit or a failed check takes that back.
 * Backtracking stands outside the order and goes on from rank 0.
 */
export const phaseChart = setup({
  types: {
    context: {} as PhaseContext,
    input: {} as PhaseRules,
    events: {} as PhaseEvent,
  },
  guards: {
    isForward: ({ event }, { phase }: { phase: Phase }) => proposalOf(event) === phase,
    isSame: ({ event }, { phase }: { phase: Phase }) => proposalOf(event) === phase,
    isBackward: ({ event }) => proposalOf(event) !== null,
    isConfirmedBackward: ({ context, event }, { phase }: { phase: Phase }) =>
      proposalOf(event) === phase && held(context, phase) + 1 >= context.rules.hysteresis,
    isProven: ({ event }) => event.type === "STEP" && event.check === "passed",
    isDoubted: ({ event }) =>
      proposalOf(event) === "implement" || (event.type === "STEP" && event.check === "failed"),
    canBacktrack: ({ context, event }) =>
      event.type === "STUCK" && suppression(context, event) === null,
  },
  actions: {
    settle: assign({ pending: null }),
    hold: assign({
      pending: ({ context, event }) => {
        const phase = proposalOf(event);
        return phase && { phase, count: held(context, phase) + 1 };
      },
    }),
    startOver: assign({
      pending: null,
      lastBacktrack: ({ event }) => (event.type === "STUCK" ? event.step : null),
    }),
  },
}).createMachine({
  id: "phase",
  context: ({ input }) => ({ rules: input, pending: null, lastBacktrack: null }),
  initial: "explore",
  on: { STUCK: { guard: "canBacktrack", target: ".backtrack", actions: "startOver" } },
  states: {
    explore: {
      on: { STEP: [forward("verify"), forward("implement"), forward("hypothesize")] },
    },
    hypothesize: {
      on: {
        STEP: [
          forward("verify"),
          forward("implement"),
          same("hypothesize"),
          backward("explore"),
          hold,
        ],
      },
    },
    implement: {
      on: {
        STEP: [
          forward("verify"),
          same("implement"),
          backward("hypothesize"),
          backward("explore"),
          hold,
        ],
      },
    },
    verify: {
      on: {
        STEP: [
          same("verify"),
          backward("implement"),
          backward("hypothesize"),
          backward("explore"),
          hold,
        ],
      },
      initial: "unproven",
      states: {
        unproven: { always: { guard: "isProven", target: "proven" } },
        proven: { always: { guard: "isDoubted", target: "unproven" } },
      },
    },
    backtrack: {
      on: {
        STEP: [
          forward("verify"),
          forward("implement"),
          forward("hypothesize"),
          { target: "explore" },
        ],
      },
    },
  },
});
