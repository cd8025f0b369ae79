import type { AdviceRecord } from "../domain/episode.ts";
import type { Progress } from "./progress-state.ts";
import { type Paint, visible } from "./terminal-text.ts";

/** Recalled steps as the block names them: `mem #12 src/a.py: …`. */
const recalled = /^mem (#\d+ [^:]+):/gm;

/**
 * What the substrate did that a person wants to see as it happens: where the plan moved, why it
 * turned back, which earlier steps were shown to the model again.
 */
export function adviceLines(
  { backtrack, stuck, hint, block }: AdviceRecord,
  { plan, moved }: Progress,
  paint: Paint,
): readonly string[] {
  const memories = [...(block ?? "").matchAll(recalled)].map(([, memory]) => memory ?? "");
  const line = (label: string, text: string) =>
    `  ${paint("cyan", label.padEnd(8))}${visible(text)}`;
  return [
    ...(stuck === null
      ? []
      : [line("stuck", `${stuck}${backtrack ? "; the plan turns back" : ""}`)]),
    ...(plan !== null && moved ? [line("plan", `${plan.phase} · ${plan.subTask}`)] : []),
    ...(memories.length === 0 ? [] : [line("recall", memories.join(", "))]),
    ...(hint === null ? [] : [line("hint", hint)]),
  ];
}
