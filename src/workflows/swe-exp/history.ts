import type { SearchNode } from "../../domain/search-tree.ts";

export interface HistoryLimits {
  /** Newest steps that are told whole. */
  readonly historySteps: number;
  readonly observationChars: number;
}

/** The steps of a path as text, oldest first; the root, where nothing was done, is left out. */
export function historyText(path: readonly SearchNode[], limits: HistoryLimits): string {
  const steps = path.filter(({ parent }) => parent !== null);
  if (steps.length === 0) return "Nothing has been done yet.";
  const whole = steps.length - limits.historySteps;
  return steps
    .map((node, index) => (index < whole ? briefly(node) : stepText(node, limits.observationChars)))
    .join("\n\n");
}

/** One step with its result. */
export function stepText(node: SearchNode, chars: number): string {
  const { depth, observation, instruction } = node;
  const wanted =
    instruction === null ? [] : [`Wanted (${instruction.type}): ${instruction.instructions}`];
  return [
    `Step ${depth}.`,
    ...wanted,
    `Done: ${actionText(node)}`,
    `Result:\n${cut(observation, chars)}`,
  ].join("\n");
}

function briefly(node: SearchNode): string {
  const line = node.observation.replace(/\s+/g, " ").slice(0, 160);
  return `Step ${node.depth}. ${actionText(node).slice(0, 200)} → ${line}`;
}

function actionText({ action, error }: Pick<SearchNode, "action" | "error">): string {
  if (action === null) return error ?? "nothing";
  return `${action.tool} ${JSON.stringify(action.input)}`;
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)}\n(cut)`;
}
