import type { ExportedSignal } from "../../domain/plan.ts";
import type { Memory } from "./memory.ts";
import { stemTerms, termsOf } from "./terms.ts";
import { headOf } from "./text.ts";

/** What is asked of memory: a virtual node of words and files. */
export interface Anchor {
  readonly words: readonly string[];
  readonly files: readonly string[];
}

/** How much an anchor asks for. */
export interface AnchorSize {
  readonly words: number;
  /** Most touched files that it stands on. */
  readonly files: number;
}

/** Of the most touched files, those whose names are asked for too (our choice). */
const namedFiles = 2;

/**
 * The anchor that the plan sets: the words of the active sub-task and of the most touched files,
 * at a backtrack those of the failed sub-task too; near the files that the sub-task names, the
 * most touched ones and the one edited last. The paper says "seeded from the active sub-task
 * keywords" (arXiv:2608.06811, III-C); the rest is our choice.
 */
export function planAnchor(memory: Memory, signal: ExportedSignal, size: AnchorSize): Anchor {
  const { activeSubTask: active, failedSubTask: failed, policyPhase } = signal;
  const touched = mostTouched(memory, size.files);
  const words = [
    ...(active?.keywords.flatMap(termsOf) ?? []),
    ...termsOf(active?.title ?? ""),
    ...touched.slice(0, namedFiles).flatMap(stemTerms),
    ...(policyPhase === "backtrack" ? (failed?.keywords.flatMap(termsOf) ?? []) : []),
  ];
  const files = [...(active?.files ?? []), ...touched, ...lastEdited(memory)];
  return { words: distinct(words, size.words), files: [...new Set(files)] };
}

/**
 * The anchor without a plan: the issue's first `issueChars` characters and what the model said
 * last, near the most touched files (our choice).
 */
export function taskAnchor(memory: Memory, issueChars: number, size: AnchorSize): Anchor {
  const task = memory.nodes.find(({ role }) => role === "user")?.view ?? "";
  const said = memory.nodes.findLast(({ role }) => role === "assistant")?.view ?? "";
  const words = [...termsOf(headOf(task, issueChars)), ...termsOf(said)];
  return { words: distinct(words, size.words), files: mostTouched(memory, size.files) };
}

function mostTouched({ stats }: Memory, count: number): readonly string[] {
  return stats.topTouched.slice(0, count).map(({ file }) => file);
}

function lastEdited({ nodes, graph }: Memory): readonly string[] {
  const edits = nodes.findLast(({ edits }) => edits.length > 0)?.edits ?? [];
  return edits.map((file) => graph.files.words[file] ?? "");
}

function distinct(words: readonly string[], limit: number): readonly string[] {
  return [...new Set(words)].slice(0, limit);
}
