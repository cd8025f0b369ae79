import type { Briefing } from "../domain/briefing.ts";
import type { ExperienceBudgets } from "../domain/config/experience.ts";
import { experienceNames } from "../domain/experience.ts";
import { combine, type NamedMemory } from "./combine.ts";
import { layOut } from "./ltm-block.ts";
import { isAsked } from "./turns.ts";

/** Asks the memories whose turn it may be, and lays out what they say. */
export function briefingOf(memories: readonly NamedMemory[], budgets: ExperienceBudgets): Briefing {
  const ordered = memories.toSorted(
    (one, other) => experienceNames.indexOf(one.name) - experienceNames.indexOf(other.name),
  );
  return async (occasion, earlier) => {
    const asked = ordered.filter(({ name }) => isAsked(name, occasion, earlier));
    const { recollections, denied, failures } = await combine(asked).recall(occasion);
    const layout = layOut(recollections, occasion, earlier, budgets);
    const { phase, entry } = occasion;
    return { brief: { phase, entry, ...layout, denied }, failures };
  };
}
