import type { EpisodeEvent, ExitStatus, Step } from "../domain/episode.ts";
import { isStep } from "../domain/model.ts";
import { noteListed } from "../substrate/command.ts";
import type { ShellAction } from "../substrate/shell/action.ts";
import { noMemory, type ShellMemory } from "../substrate/shell/memory.ts";
import { understand } from "../substrate/shell/understand.ts";
import { changesCode } from "./patch-change.ts";

/**
 * What an episode looked like from outside. arXiv:2608.06811, Table V, names these; the formulas
 * are our choice.
 */
export interface Signature {
  /** Assistant turns. */
  readonly turns: number;
  /**
   * Share of executed commands whose normalised action had failed (exit status not 0) earlier in
   * the episode; null: nothing was executed.
   */
  readonly failedRecurrence: number | null;
  /** It left no patch that changes code, for another reason than its context. */
  readonly gaveUp: boolean;
  /** It ended because the context was full. */
  readonly contextExhausted: boolean;
  /** Times that a file was edited, reverted, and edited again, over all files. */
  readonly recoveries: number;
}

/** An episode that has ended, of pmcoder or of another agent. */
export interface EndedEpisode {
  readonly turns: number;
  /** Executed commands, in order. */
  readonly steps: readonly Step[];
  readonly status: ExitStatus;
  /** What the episode stands for, the text that is graded; empty if there is none. */
  readonly patch: string;
  /** Absolute path of the repository, where each command started. */
  readonly root: string;
}

/** Ends that are not the agent's doing: nothing can be said of such an episode. */
const infrastructure: readonly ExitStatus[] = [
  "environment_lost",
  "image_missing",
  "model_unavailable",
  "interrupted",
  "error",
];

/**
 * The signature of an episode; null where infrastructure ended it. Commands are understood without
 * the repository's listing, which arms without plan and memory do not take: all arms are measured
 * in the same way.
 */
export function signatureOf(episode: EndedEpisode): Signature | null {
  const { turns, steps, status, patch, root } = episode;
  if (infrastructure.includes(status)) return null;
  const actions = actionsOf(steps, root);
  const contextExhausted = status === "context_exhausted";
  return {
    turns,
    failedRecurrence: steps.length === 0 ? null : recurrences(steps, actions) / steps.length,
    gaveUp: !contextExhausted && !changesCode(patch),
    contextExhausted,
    recoveries: recoveriesIn(actions),
  };
}

/** A run's events as an ended episode; null: it has no begin, or its last event is not its end. */
export function endedEpisode(events: readonly EpisodeEvent[], patch: string): EndedEpisode | null {
  const begin = events.find((event) => event.type === "begin");
  const end = events.at(-1);
  if (begin === undefined || end?.type !== "end") return null;
  const turns = events.filter((event) => event.type === "reply" && isStep(event.purpose)).length;
  const root = begin.environment.workdir;
  return { turns, steps: executedSteps(events), status: end.status, patch, root };
}

/** Commands with a known end; one that was cut off by us has no exit status of its own. */
function executedSteps(events: readonly EpisodeEvent[]): readonly Step[] {
  const steps: Step[] = [];
  let command = "";
  for (const event of events) {
    if (event.type === "command") command = event.command;
    if (event.type !== "observation") continue;
    const { step: index, output, timedOut } = event;
    const exitCode = event.interrupted ? null : event.exitCode;
    steps.push({ index, thought: "", command, output, exitCode, timedOut });
  }
  return steps;
}

function actionsOf(steps: readonly Step[], root: string): readonly ShellAction[] {
  const context = { root, listing: null };
  let memory: ShellMemory = noMemory;
  return steps.map(({ command, output }) => {
    const { action, memory: shell } = understand(command, memory, context);
    memory = noteListed({ action, shell, preparesEdit: false }, { root, files: null, output });
    return action;
  });
}

function recurrences(steps: readonly Step[], actions: readonly ShellAction[]): number {
  const failed = new Set<string>();
  let count = 0;
  for (const [at, { exitCode }] of steps.entries()) {
    const action = actions[at]?.normalized ?? null;
    if (action === null) continue;
    if (failed.has(action)) count += 1;
    if (exitCode !== null && exitCode !== 0) failed.add(action);
  }
  return count;
}

/** What one command did to a file, or with `path` null to all files. */
interface Touch {
  readonly path: string | null;
  readonly kind: "edit" | "reapply" | "revert";
}

/** Taking work out of the stash again edits nothing anew. */
const reapplying = /\bgit stash (?:pop|apply)\b/;

function touchesOf({ normalized, segments }: ShellAction): readonly Touch[] {
  const edit = reapplying.test(normalized ?? "") ? "reapply" : "edit";
  return segments.flatMap(({ class: kind, edited, created, deleted, reverted }) => {
    const all = kind === "revert" && reverted.length === 0 ? [null] : reverted;
    return [
      ...all.map((path): Touch => ({ path, kind: "revert" })),
      ...[...edited, ...created, ...deleted].map((path): Touch => ({ path, kind: edit })),
    ];
  });
}

function recoveriesIn(actions: readonly ShellAction[]): number {
  const isReverted = new Map<string, boolean>();
  return actions.flatMap(touchesOf).filter((touch) => recovers(isReverted, touch)).length;
}

/** Whether a touch edits a reverted file anew; files are marked as it leaves them. */
function recovers(isReverted: Map<string, boolean>, { path, kind }: Touch): boolean {
  if (kind === "revert") {
    const touched = [...isReverted.keys()].filter((file) => holds(path, file));
    for (const file of touched) isReverted.set(file, true);
    return false;
  }
  if (path === null) return false;
  const isAnew = kind === "edit" && isReverted.get(path) === true;
  isReverted.set(path, false);
  return isAnew;
}

/** A revert that names nothing touches every file, and one of a folder all that lies in it. */
function holds(path: string | null, file: string): boolean {
  return path === null || path === "." || path === file || file.startsWith(`${path}/`);
}
