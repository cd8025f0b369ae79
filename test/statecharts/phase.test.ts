import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialTransition, transition } from "xstate";
import { getShortestPaths } from "xstate/graph";
import { type Phase, phases, rankOf } from "../../src/domain/phase.ts";
import {
  type Check,
  type PhaseEvent,
  type PhaseRules,
  phaseChart,
} from "../../statecharts/phase.ts";
import { drawing } from "./drawing.ts";

const rules: PhaseRules = { hysteresis: 2, minBacktrackStep: 10, cooldown: 8, stackDepth: 16 };
const proposals = [null, ...phases];

const step = (proposal: Phase | null, check: Check = null): PhaseEvent => ({
  type: "STEP",
  proposal,
  check,
});
const stuck = (at: number, depth = 3): PhaseEvent => ({ type: "STUCK", step: at, depth });

/** The rules again, written as plain conditions: what the chart is compared with. */
interface Expected {
  readonly at: Phase | "backtrack";
  readonly proven: boolean;
  readonly pending: { readonly phase: Phase; readonly count: number } | null;
  readonly lastBacktrack: number | null;
}
const start: Expected = { at: "explore", proven: false, pending: null, lastBacktrack: null };

function expected(state: Expected, event: PhaseEvent): Expected {
  return event.type === "STUCK" ? afterStuck(state, event) : afterStep(state, event);
}

function afterStuck(state: Expected, event: PhaseEvent & { type: "STUCK" }): Expected {
  const isEarly = event.step < 10;
  const isCooling = state.lastBacktrack !== null && event.step < state.lastBacktrack + 8;
  if (isEarly || isCooling || event.depth > 16) return state;
  return { at: "backtrack", proven: false, pending: null, lastBacktrack: event.step };
}

function afterStep(state: Expected, event: PhaseEvent & { type: "STEP" }): Expected {
  const { proposal } = event;
  if (state.at === "backtrack")
    return entered({ ...state, pending: null }, proposal ?? "explore", event);
  if (proposal === null) return checked(state, event);
  if (rankOf(proposal) > rankOf(state.at)) return entered(state, proposal, event);
  if (proposal === state.at) return checked({ ...state, pending: null }, event);
  const count = state.pending?.phase === proposal ? state.pending.count + 1 : 1;
  if (count >= 2) return entered(state, proposal, event);
  return checked({ ...state, pending: { phase: proposal, count } }, event);
}

function entered(state: Expected, at: Phase, event: PhaseEvent & { type: "STEP" }): Expected {
  return checked({ ...state, at, pending: null, proven: false }, event);
}

function checked(state: Expected, event: PhaseEvent & { type: "STEP" }): Expected {
  if (state.at !== "verify") return { ...state, proven: false };
  if (event.check === "passed") return { ...state, proven: true };
  const doubted = event.proposal === "implement" || event.check === "failed";
  return { ...state, proven: state.proven && !doubted };
}

type Snapshot = ReturnType<typeof phaseChart.resolveState>;

function seen(snapshot: Snapshot): Expected {
  const { value, context } = snapshot;
  return {
    at: typeof value === "string" ? value : "verify",
    proven: typeof value !== "string" && value.verify === "proven",
    pending: context.pending,
    lastBacktrack: context.lastBacktrack,
  };
}

function leaf({ value }: Snapshot): string {
  return typeof value === "string" ? value : value.verify;
}

/** Every kind of event, with step numbers on both sides of the floor and the cooldown. */
const events: readonly PhaseEvent[] = [
  ...proposals.map((proposal) => step(proposal)),
  step("verify", "passed"),
  step("verify", "failed"),
  ...[9, 10, 17, 18].map((at) => stuck(at)),
  stuck(18, 16),
  stuck(18, 17),
];
const options = {
  input: rules,
  events,
  serializeState: (snapshot: Snapshot) => JSON.stringify(seen(snapshot)),
};

describe("phase chart", () => {
  it("is drawn as it is", async () => {
    await expect(drawing()).toMatchFileSnapshot("../../statecharts/phase.mmd");
  });

  const reached = getShortestPaths(phaseChart, options);

  it("reaches every state that its rules name, and no other", () => {
    const names = new Set(reached.map(({ state }) => JSON.stringify(state.value)));
    expect([...names].sort()).toEqual([
      '"backtrack"',
      '"explore"',
      '"hypothesize"',
      '"implement"',
      '{"verify":"proven"}',
      '{"verify":"unproven"}',
    ]);
    expect(reached).toHaveLength(55);
  });

  it.each(reached.map((path) => ({ path, name: options.serializeState(path.state) })))(
    "goes on from $name by the rules, whatever comes",
    ({ path }) => {
      const walked = path.steps.slice(1).map(({ event }) => event);
      let [snapshot] = initialTransition(phaseChart, rules);
      let state = start;
      for (const event of walked) {
        [snapshot] = transition(phaseChart, snapshot, event);
        state = expected(state, event);
        expect(seen(snapshot)).toEqual(state);
      }
      for (const event of events) {
        const [next] = transition(phaseChart, snapshot, event);
        expect(seen(next), JSON.stringify(event)).toEqual(expected(state, event));
      }
    },
  );

  it("takes every arrow that leads elsewhere", () => {
    const taken = new Set<string>();
    for (const { state } of reached) {
      for (const event of events) {
        const [next] = transition(phaseChart, state, event);
        taken.add(`${leaf(state)} -> ${leaf(next)}`).add(`${seen(state).at} -> ${seen(next).at}`);
      }
    }
    const drawn = [...drawing().matchAll(/^ +(\w+) --> (\w+) :/gm)].flatMap(([, from, to]) =>
      (from === "any" ? phases : [from]).map((source) => `${source} -> ${to}`),
    );
    expect(drawn.filter((arrow) => !taken.has(arrow))).toEqual([]);
    expect(drawn).toHaveLength(28);
  });

  it("agrees with the rules on any walk", () => {
    const anyEvent = fc.oneof(
      fc.record({
        type: fc.constant("STEP" as const),
        proposal: fc.constantFrom(...proposals),
        check: fc.constant(null),
      }),
      fc.constantFrom(step("verify", "passed"), step("verify", "failed")),
      fc.record({ type: fc.constant("STUCK" as const), step: fc.nat(60), depth: fc.nat(20) }),
    );
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (walk) => {
        let [snapshot] = initialTransition(phaseChart, rules);
        let state = start;
        for (const event of walk) {
          [snapshot] = transition(phaseChart, snapshot, event);
          state = expected(state, event);
          expect(seen(snapshot)).toEqual(state);
        }
      }),
    );
  });
});
