import { setup } from "xstate";
import type { Phase } from "../src/domain/phase.ts";

/** What the detector read out of one step. */
export type PhaseSignal = { readonly type: "STEP"; readonly proposal: Phase | null };

/**
 * The planner's chart (arXiv:2608.06811, Fig. 3): an episode moves forward through four phases.
 * A forward move is taken at once.
 */
export const phaseChart = setup({
  types: { events: {} as PhaseSignal },
  guards: {
    proposes: ({ event }, { phase }: { phase: Phase }) => event.proposal === phase,
  },
}).createMachine({
  id: "phase",
  initial: "explore",
  states: {
    explore: {
      on: {
        STEP: [
          { guard: { type: "proposes", params: { phase: "verify" } }, target: "verify" },
          { guard: { type: "proposes", params: { phase: "implement" } }, target: "implement" },
          { guard: { type: "proposes", params: { phase: "hypothesize" } }, target: "hypothesize" },
        ],
      },
    },
    hypothesize: {
      on: {
        STEP: [
          { guard: { type: "proposes", params: { phase: "verify" } }, target: "verify" },
          { guard: { type: "proposes", params: { phase: "implement" } }, target: "implement" },
        ],
      },
    },
    implement: {
      on: { STEP: { guard: { type: "proposes", params: { phase: "verify" } }, target: "verify" } },
    },
    verify: {},
  },
});
