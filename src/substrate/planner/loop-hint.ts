// biome-ignore lint/style/noRestrictedImports: a digest is a pure function.
import { createHash } from "node:crypto";
import type { PlannerConfig } from "../../domain/config/planner.ts";

/** What loop detection sees of one executed call. */
export interface LoopInput {
  readonly step: number;
  readonly command: string;
  readonly output: string;
  readonly exitCode: number | null;
  /** The command changes files. */
  readonly mutates: boolean;
  /** What identifies the repository's tree after the call; null when nobody compared trees. */
  readonly tree: string | null;
}

/** One remembered call: command and result as digests; `epoch` counts the changes before it. */
interface Trace {
  readonly step: number;
  readonly command: string;
  readonly result: string;
  readonly tree: string | null;
  readonly epoch: number;
}

/** Plain JSON, bounded by the number of calls remembered. */
export interface LoopState {
  readonly epoch: number;
  readonly traces: readonly Trace[];
}

export const noLoop: LoopState = { epoch: 0, traces: [] };

export type LoopRules = Omit<PlannerConfig["loopHint"], "on">;

/** Our choice: real cycles are short, and a repetition longer ago is no loop. */
const longestCycle = 6;
const remembered = 60;

/**
 * Looks for a loop that shows in results, not in counts: the same command with the same output four
 * times while nothing changes, a cycle of commands and outputs three times over, the same result on
 * the same tree three times although edits lay between. One advisory line, or null; after a hint
 * the count starts again. Our choice throughout: it is no stuck signal of the paper's and never
 * backtracks.
 */
export function noteLoop(
  state: LoopState,
  input: LoopInput,
  rules: LoopRules,
): { readonly state: LoopState; readonly hint: string | null } {
  const trace = traceOf(state, input);
  const traces = [...state.traces, trace].slice(-remembered);
  const hint = repeatHint(traces, rules) ?? cycleHint(traces, rules) ?? treeHint(traces, rules);
  return { state: { epoch: trace.epoch, traces: hint === null ? traces : [] }, hint };
}

function traceOf({ epoch, traces }: LoopState, input: LoopInput): Trace {
  const command = digest(input.command);
  const result = digest(`${input.exitCode}\n${comparable(input.output)}`);
  const last = traces.at(-1);
  const isRepeat = last?.command === command && last.result === result;
  const { step, tree } = input;
  return { step, command, result, tree, epoch: epoch + (input.mutates && !isRepeat ? 1 : 0) };
}

function repeatHint(traces: readonly Trace[], rules: LoopRules): string | null {
  const last = traces.at(-1);
  if (last === undefined) return null;
  const times = traces.filter((trace) => isSame(trace, last) && isSamePlace(trace, last)).length;
  if (times < rules.sameResult) return null;
  return `This command has given the same output ${times} times, and nothing has changed in between.`;
}

function cycleHint(traces: readonly Trace[], rules: LoopRules): string | null {
  for (let period = 2; period <= longestCycle; period++) {
    const span = traces.slice(-period * rules.rounds);
    const isCycle =
      span.length === period * rules.rounds &&
      span.every((trace, index) => {
        const next = span[index + period];
        return next === undefined || (isSame(trace, next) && !isOtherTree(trace, next));
      });
    if (isCycle) {
      return `The last ${period} commands have now run ${rules.rounds} times in a row with the same outputs.`;
    }
  }
  return null;
}

function treeHint(traces: readonly Trace[], rules: LoopRules): string | null {
  const last = traces.at(-1);
  if (last === undefined || last.tree === null) return null;
  const same = traces.filter((trace) => isSame(trace, last));
  const epochs = new Set(same.map(({ epoch }) => epoch)).size;
  const earlier = traces.find(({ tree, epoch }) => tree === last.tree && epoch !== last.epoch);
  if (earlier === undefined || epochs < rules.sameTree) return null;
  const trees = new Set(same.map(({ tree }) => tree)).size;
  if (trees >= epochs) return null;
  return `The tree is the same as at step ${earlier.step}, and so is the result: the edits since then cancel out.`;
}

function isSame(a: Trace, b: Trace): boolean {
  return a.command === b.command && a.result === b.result;
}

function isOtherTree(a: Trace, b: Trace): boolean {
  return a.tree !== null && b.tree !== null && a.tree !== b.tree;
}

/** Nothing changed between the two: by comparing trees where that was done, else by the commands. */
function isSamePlace(a: Trace, b: Trace): boolean {
  return a.tree !== null && b.tree !== null ? a.tree === b.tree : a.epoch === b.epoch;
}

/** Durations and addresses differ between equal results; only both ends of a long output count. */
function comparable(output: string): string {
  const ends = output.length > 40_000 ? output.slice(0, 20_000) + output.slice(-20_000) : output;
  return ends
    .replace(/\bin \d+(?:\.\d+)? ?(?:ms|s|seconds?)\b/g, "in some time")
    .replace(/\b0x[0-9a-f]{6,}\b/gi, "0x0");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
