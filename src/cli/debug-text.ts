import type { Moment } from "../agent/consult.ts";
import type { Observation } from "../domain/episode.ts";
import type { SubTask } from "../domain/plan.ts";
import { filesOf, type Memory } from "../substrate/memory/memory.ts";
import { countersOf } from "../substrate/planner/stuck.ts";
import { activeItem } from "../substrate/planner/subtasks.ts";
import type { SubstrateState } from "../substrate/state.ts";
import { type Breakpoint, writtenAs } from "./breakpoints.ts";
import { indent } from "./consent.ts";
import { type Paint, visible } from "./terminal-text.ts";

export const promptText = "debug [enter s c k e a p m r b d l q h]: ";

export const helpLines: readonly string[] = [
  "enter, s   run this command and stop at the next",
  "c          go on to the next breakpoint",
  "k          skip it: nothing runs, and the model is told",
  "e TEXT     run TEXT in its place; the model is told",
  "a TEXT     run TEXT first, as your own command; the model is told",
  "p          the plan: phase, sub-tasks, counts towards stuck",
  "m [WORD]   memory: the newest messages, or those with WORD, and the files",
  "r          what would be recalled now, with its scores",
  "b WHERE    add a breakpoint: step=12, phase=implement, file=src/x.py, stuck",
  "d N        delete breakpoint N",
  "l          list breakpoints",
  "q          stop here; pmcoder resume goes on with this command",
];

/** Where the run stands: which command comes next, and why it stopped there. */
export function stopLines(
  { step, command, stuck }: Pick<Moment, "step" | "command" | "stuck">,
  hits: readonly Breakpoint[],
  paint: Paint,
): readonly string[] {
  const why = hits.length === 0 ? "" : ` (${hits.map(writtenAs).map(visible).join(", ")})`;
  return [
    `${paint("bold", `stopped at step ${step}`)}${why}, before`,
    ...indent(command).split("\n"),
    ...(stuck === null ? [] : [paint("yellow", `stuck: ${visible(stuck)}`)]),
  ];
}

/** The phase, each sub-task with its evidence, and the counts up to their thresholds. */
export function planLines({ plan, memory, rules }: SubstrateState): readonly string[] {
  if (plan === null) return ["The planner is off in this run."];
  const { repeatedEdits, failedReturns, repeatedAction, readSaturation } = rules.stuck;
  const stats = rules.couplings.statsPlan ? (memory?.stats ?? null) : null;
  const { edits, failures, actions, reads } = countersOf(stats, plan.failures, rules.stuck);
  const named = (peak: { readonly name: string } | null) =>
    peak === null ? "" : `  ${visible(peak.name)}`;
  const active = activeItem(plan)?.id;
  const proven = plan.chart.proven ? ", proven" : "";
  return [
    `phase     ${plan.chart.at}${proven}; turned back ${plan.backtracks} times`,
    ...[...plan.stack.toReversed(), ...plan.queue].map((item) => itemLine(item, active)),
    `edits     ${edits?.n ?? 0} of ${repeatedEdits}${named(edits)}`,
    `failures  ${failures} of ${failedReturns}`,
    `repeats   ${actions?.n ?? 0} of ${repeatedAction}${named(actions)}`,
    `reads     ${reads} of ${readSaturation}`,
  ];
}

function itemLine(
  { id, title, phase, status, skipped, evidence }: SubTask,
  active: string | undefined,
): string {
  const state = skipped ? "skipped" : status;
  const mark = id === active ? ">" : " ";
  return `${mark} ${id.padEnd(5)} ${state.padEnd(8)} ${visible(title)}  (${phase}, evidence ${evidence})`;
}

const shownNodes = 12;
const shownFiles = 8;

/** The newest messages in memory, or those that hold a word, then the most touched files. */
export function memoryLines({ memory }: SubstrateState, word: string): readonly string[] {
  if (memory === null) return ["The memory is off in this run."];
  const sought = word.toLowerCase();
  const holds = (text: string) => text.toLowerCase().includes(sought);
  const found = memory.nodes.filter(
    (node) => holds(node.view) || filesOf(memory, node).some(holds),
  );
  const nodes = found.slice(-shownNodes).map((node) => {
    const file = filesOf(memory, node)[0];
    const about = file === undefined ? node.role : `${node.role} ${visible(file)}`;
    return `  #${node.id} step ${node.turn} ${about}: ${visible(node.summary)}`;
  });
  const shown = found.length > nodes.length ? `the newest ${nodes.length} of ` : "";
  return [
    `messages  ${shown}${found.length}${word === "" ? "" : ` with “${visible(word)}”`}`,
    ...nodes,
    "files     touched so often; beside which others, at which distance",
    ...memory.stats.topTouched.slice(0, shownFiles).map(({ file, n }) => fileLine(memory, file, n)),
  ];
}

function fileLine({ graph: { files, edges } }: Memory, file: string, touched: number): string {
  const near = (edges[files.words.indexOf(file)] ?? [])
    .toSorted(([, a], [, b]) => a - b)
    .slice(0, 4)
    .map(([to, cost]) => `${visible(files.words[to] ?? "")} ${cost}`);
  return `  ${touched}× ${visible(file)}${near.length === 0 ? "" : `: ${near.join(", ")}`}`;
}

export const breakpointLines = (points: readonly Breakpoint[]): readonly string[] =>
  points.length === 0
    ? ["no breakpoints"]
    : points.map((point, index) => `${index + 1}  ${visible(writtenAs(point))}`);

/** What the user's own command gave. */
export const outputLines = ({ exitCode, output }: Observation): readonly string[] => [
  ...output
    .split("\n")
    .flatMap((line, at, all) => (line === "" && at === all.length - 1 ? [] : [`    ${line}`])),
  `exit ${exitCode}`,
];
