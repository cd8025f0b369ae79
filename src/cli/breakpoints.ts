import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { Moment } from "../agent/consult.ts";
import { type PolicyPhase, phases } from "../domain/phase.ts";
import { understandNext } from "../substrate/command.ts";

/** Where a debugged run stops, before a command. */
export type Breakpoint =
  | { readonly type: "step"; readonly step: number }
  | { readonly type: "phase"; readonly phase: PolicyPhase }
  | { readonly type: "file"; readonly file: string }
  | { readonly type: "stuck" };

const expected = `Expected step=N, phase=${[...phases, "backtrack"].join("|")}, file=PATH or stuck.`;

/** Reads `step=12`, `phase=implement`, `file=src/x.py` or `stuck`; null for anything else. */
function breakpointIn(text: string): Breakpoint | null {
  if (text === "stuck") return { type: "stuck" };
  const [, kind, value = ""] = /^(step|phase|file)=(.+)$/.exec(text) ?? [];
  if (kind === "step" && /^[1-9]\d{0,8}$/.test(value)) return { type: "step", step: Number(value) };
  if (kind === "file") return { type: "file", file: value.replace(/^\.\//, "") };
  if (kind !== "phase") return null;
  const phase = ([...phases, "backtrack"] as const).find((known) => known === value);
  return phase === undefined ? null : { type: "phase", phase };
}

/** For the command line: throws InvalidArgumentError, which says what can be written. */
export function addBreakpoint(text: string, before: readonly Breakpoint[]): readonly Breakpoint[] {
  const breakpoint = breakpointIn(text.trim());
  if (breakpoint === null) throw new InvalidArgumentError(expected);
  return [...before, breakpoint];
}

/** A breakpoint as it was written. */
export function writtenAs(breakpoint: Breakpoint): string {
  switch (breakpoint.type) {
    case "step":
      return `step=${breakpoint.step}`;
    case "phase":
      return `phase=${breakpoint.phase}`;
    case "file":
      return `file=${breakpoint.file}`;
    case "stuck":
      return "stuck";
  }
}

/** What of the command before is compared with. */
export interface Passed {
  readonly step: number;
  readonly phase: PolicyPhase | null;
}

export const passedAt = ({ step, state }: Moment): Passed => ({
  step,
  phase: state?.plan?.chart.at ?? null,
});

/**
 * Whether a command is where a run is to stop: the first one of a step, the first one in a phase,
 * one that touches a file, one after a call at which the agent counted as stuck. `before`: the
 * command before it, null when there was none.
 */
export function isHit(breakpoint: Breakpoint, moment: Moment, before: Passed | null): boolean {
  const { step, phase } = passedAt(moment);
  switch (breakpoint.type) {
    case "step":
      return step === breakpoint.step && before?.step !== step;
    case "phase":
      return phase === breakpoint.phase && before?.phase !== phase;
    case "file":
      return touches(moment, breakpoint.file);
    case "stuck":
      return moment.stuck !== null;
  }
}

/** What plan and memory read in the command; without them a file counts if it is named. */
function touches({ state, command }: Moment, file: string): boolean {
  if (state === null) return command.includes(file);
  const { reads, writes, deleted, reverted } = understandNext(state, command).action;
  const paths = [...reads.map(({ path }) => path), ...writes, ...deleted, ...reverted];
  return paths.some((path) => path === file || path.endsWith(`/${file}`));
}
