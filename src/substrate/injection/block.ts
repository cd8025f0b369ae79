import { neutral, neutralLine } from "../../domain/neutral.ts";
import type { ExportedSignal, MemoryStats } from "../../domain/plan.ts";
import { headOf, tokensOf } from "../memory/text.ts";

/** A node as a block shows it. */
export interface Recollection {
  readonly id: number;
  /** Its first file, else its role. */
  readonly label: string;
  readonly view: string;
}

/** What a block is made of; every part may be missing. */
export interface BlockParts {
  readonly header: string | null;
  readonly notes: readonly string[];
  readonly lines: readonly string[];
}

/** The title of a recovery names files, which may be many (our choice). */
const titleChars = 120;
/** Files that the header names (our choice). */
const headerFiles = 2;

/**
 * One line of plan state: policy phase, active sub-task, progress, the verdict if there is a
 * reproduction script, the most touched files with their counts if there is a memory.
 */
export function headerOf(
  signal: ExportedSignal,
  { stats, isArmed }: { readonly stats: MemoryStats | null; readonly isArmed: boolean },
): string {
  const { policyPhase, activeSubTask: active, done, total, recovery, verdict } = signal;
  const place = active?.position ? `${active.position}/${total}` : "recovery";
  const touched = stats?.topTouched.slice(0, headerFiles) ?? [];
  const files = touched.map(({ file, n }) => `${neutralLine(file)}(${n})`).join(",");
  return [
    `phase=${policyPhase}`,
    active && `subtask=${place} "${headOf(neutralLine(active.title), titleChars)}"`,
    `done=${done}/${total}`,
    recovery > 0 && `recovery=${recovery}`,
    isArmed && `verdict=${verdict}`,
    files !== "" && `files=${files}`,
  ]
    .filter((part) => typeof part === "string")
    .join(" ");
}

/**
 * `mem #28 a/b.py: …`: the first `chars` characters of a node. Its further lines are quoted, so
 * that nothing a file holds can pass for a line of the block.
 */
export function recollectionLine({ id, label, view }: Recollection, chars: number): string {
  const excerpt = neutral(headOf(view.trim(), chars)).trimEnd();
  return `mem #${id} ${neutralLine(label)}: ${excerpt.replaceAll("\n", "\n| ")}`;
}

/**
 * The block with as many memory lines, from the first, as the budget holds.
 * @returns its text and how many memory lines it has; null when there is nothing to say, or when
 * not even header and notes fit.
 */
export function blockOf(
  { header, notes, lines }: BlockParts,
  budget: number,
): { readonly text: string; readonly lines: number } | null {
  const head = [...(header === null ? [] : [header]), ...notes.map((note) => `note: ${note}`)];
  for (let count = lines.length; head.length + count > 0 && count >= 0; count--) {
    const text = ["[PLANMEM]", ...head, ...lines.slice(0, count), "[/PLANMEM]"].join("\n");
    if (tokensOf(text) <= budget) return { text, lines: count };
  }
  return null;
}
