import { RunConfig } from "../../src/domain/config/run-config.ts";
import { begin, observe } from "../../src/substrate/observe.ts";
import {
  type Advice,
  type Evidence,
  noEvidence,
  type ObservedStep,
  type SubstrateOptions,
  type SubstrateState,
} from "../../src/substrate/state.ts";

/** What a test may say of a call; the rest is a quiet success. */
export type Call = string | (Partial<ObservedStep> & { readonly evidence?: Partial<Evidence> });

export interface Seen {
  readonly step: number;
  readonly state: SubstrateState;
  readonly advice: Advice;
}

/** The full arm without the loop hint, as far as `overrides` of whole areas leave it. */
export function configOf(overrides: Readonly<Record<string, object>> = {}): RunConfig {
  const planner = { loopHint: { on: false }, ...overrides["planner"] };
  return RunConfig.parse({ ...overrides, planner });
}

const task = "`OutputWrapper.flush` is never called\n\nmigrate prints nothing.";

export function beginning(
  overrides: Readonly<Record<string, object>> = {},
  options: Partial<SubstrateOptions> = {},
): SubstrateState {
  return begin(task, { config: configOf(overrides), root: "/testbed", ...options });
}

export function stepOf(call: Call, index: number): ObservedStep {
  const fields = typeof call === "string" ? { command: call } : call;
  const quiet = { index, thought: "", command: "true", output: "", exitCode: 0, timedOut: false };
  const { evidence: _, ...step } = { ...quiet, evidence: undefined, ...fields };
  return step;
}

function evidenceOf(call: Call): Evidence {
  return { ...noEvidence, ...(typeof call === "string" ? {} : call.evidence) };
}

/** The calls, one a step from step 1 unless they say otherwise. */
export function walk(calls: readonly Call[], from: SubstrateState = beginning()): readonly Seen[] {
  let state = from;
  return calls.map((call, at) => {
    const step = stepOf(call, at + 1);
    const observed = observe(state, step, evidenceOf(call));
    state = observed.state;
    return { step: step.index, ...observed };
  });
}

export function last(seen: readonly Seen[]): Seen {
  const one = seen.at(-1);
  if (!one) throw new Error("no step");
  return one;
}

export const phases = (seen: readonly Seen[]) =>
  seen.map(({ advice }) => advice.signal?.phase ?? null);

export const blocks = (seen: readonly Seen[]) =>
  seen.flatMap(({ step, advice }) => (advice.block === null ? [] : [step]));

/** Ids of the memory lines of a block. */
export function shownIds(block: string | null): readonly number[] {
  return [...(block ?? "").matchAll(/^mem #(\d+) /gm)].map(([, id]) => Number(id));
}

export const edit = (file: string) => `sed -i 's/a/b/' ${file}`;
export const read = (file: string, output = "x = 1\n"): Call => ({
  command: `cat ${file}`,
  output,
});
export const test = "pytest tests";
