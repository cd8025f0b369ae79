import type { Brief } from "../domain/briefing.ts";
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
  const line = labelled(paint);
  return [
    ...(stuck === null
      ? []
      : [line("stuck", `${stuck}${backtrack ? "; the plan turns back" : ""}`)]),
    ...(plan !== null && moved ? [line("plan", `${plan.phase} · ${plan.subTask}`)] : []),
    ...(memories.length === 0 ? [] : [line("recall", memories.join(", "))]),
    ...(hint === null ? [] : [line("hint", hint)]),
  ];
}

const labelled = (paint: Paint) => (label: string, text: string) =>
  `  ${paint("cyan", label.padEnd(8))}${visible(text)}`;

/** What was recalled of other issues: each with its source, stage and issue; and what was not, why. */
export function experienceLines(
  { recalled, waiting, denied }: Brief,
  paint: Paint,
): readonly string[] {
  const shown = recalled.map(({ source, stage, instanceId }) =>
    [source, stage ?? [], instanceId ?? []].flat().join(" "),
  );
  const reasons = Object.entries(denied).map(
    ([reason, n]) => `${n} ${reason.replaceAll("_", " ")}`,
  );
  const parts = [
    ...(shown.length === 0 ? [] : [shown.join(", ")]),
    ...(waiting.length === 0 ? [] : [`${waiting.length} wait for room`]),
    ...(reasons.length === 0 ? [] : [`kept back: ${reasons.join(", ")}`]),
  ];
  return parts.length === 0 ? [] : [labelled(paint)("others", parts.join(" · "))];
}
