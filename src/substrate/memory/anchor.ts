import type { MemoryConfig } from "../../domain/config/memory.ts";
import type { ExportedSignal } from "../../domain/plan.ts";
import type { Memory } from "./memory.ts";
import { stemTerms, termsOf } from "./terms.ts";
import { headOf } from "./text.ts";

/** What is asked of memory: a virtual node of words and files. */
export interface Anchor {
  readonly words: readonly string[];
  readonly files: readonly string[];
}

/** Most touched files that the anchor stands on (our choice). */
const focusFiles = 2;

/**
 * The anchor that the plan sets: the words of the active sub-task and of the most touched files,
 * at a backtrack those of the failed sub-task too; near the files that the sub-task names, the
 * most touched ones and the one edited last. The paper says "seeded from the active sub-task
 * keywords" (arXiv:2608.06811, III-C); the rest is our choice.
 */
export function planAnchor(memory: Memory, signal: ExportedSignal, config: MemoryConfig): Anchor {
  const { activeSubTask: active, failedSubTask: failed, policyPhase } = signal;
  const touched = mostTouched(memory);
  const words = [
    ...(active?.keywords.flatMap(termsOf) ?? []),
    ...termsOf(active?.title ?? ""),
    ...touched.flatMap(stemTerms),
    ...(policyPhase === "backtrack" ? (failed?.keywords.flatMap(termsOf) ?? []) : []),
  ];
  const files = [...(active?.files ?? []), ...touched, ...lastEdited(memory)];
  return { words: distinct(words, config.anchorWords), files: [...new Set(files)] };
}

/** The anchor without a plan: the issue's beginning and what the model said last (our choice). */
export function taskAnchor(memory: Memory, config: MemoryConfig): Anchor {
  const task = memory.nodes.find(({ role }) => role === "user")?.view ?? "";
  const said = memory.nodes.findLast(({ role }) => role === "assistant")?.view ?? "";
  const words = [...termsOf(headOf(task, config.anchorIssueChars)), ...termsOf(said)];
  return { words: distinct(words, config.anchorWords), files: mostTouched(memory) };
}

function mostTouched({ stats }: Memory): readonly string[] {
  return stats.topTouched.slice(0, focusFiles).map(({ file }) => file);
}

function lastEdited({ nodes, graph }: Memory): readonly string[] {
  const edits = nodes.findLast(({ edits }) => edits.length > 0)?.edits ?? [];
  return edits.map((file) => graph.files.words[file] ?? "");
}

function distinct(words: readonly string[], limit: number): readonly string[] {
  return [...new Set(words)].slice(0, limit);
}
