import type { ExperienceBudgets } from "../domain/config/experience.ts";
import type { ExperienceName, Occasion, Recollection } from "../domain/experience.ts";

/** What memories say in one go, each with a budget of its own; in the order in which they speak. */
export const turns = [
  "commits",
  "insights",
  "records",
  "experience",
] as const satisfies readonly (keyof ExperienceBudgets)[];
export type Turn = (typeof turns)[number];

/** Whose turn a memory belongs to. ExpeRepair's insights are of no stage, its records of one. */
export function turnOf({ source, stage }: Pick<Recollection, "source" | "stage">): Turn {
  if (source === "repomem") return "commits";
  if (source === "swe-exp") return "experience";
  return source === "experepair" && stage === null ? "insights" : "records";
}

type Moment = Pick<Occasion, "phase" | "entry">;

/**
 * Whether a source may speak as a phase is entered. RepoMem helps whoever explores. Insights come
 * first of all and again at each backtrack. Records follow the stages, so each phase has its own.
 * SWE-Exp has a perspective for exploring, and a modification for the first repair. `earlier`:
 * phases that were entered before. Our choice.
 */
export function isDue(
  turn: Turn,
  { phase, entry }: Moment,
  earlier: readonly Pick<Occasion, "phase">[],
): boolean {
  switch (turn) {
    case "commits":
      return phase === "explore";
    case "insights":
      return entry === 1 || phase === "backtrack";
    case "records":
      return true;
    case "experience":
      return phase === "explore" || (phase === "implement" && !entered(earlier, "implement"));
  }
}

const entered = (earlier: readonly Pick<Occasion, "phase">[], phase: Occasion["phase"]) =>
  earlier.some((one) => one.phase === phase);

const turnsOf: Readonly<Record<ExperienceName, readonly Turn[]>> = {
  repomem: ["commits"],
  experepair: ["insights", "records"],
  adarepair: ["records"],
  "swe-exp": ["experience"],
};

/** Whether it is worth asking a memory: an answer may cost model calls. */
export function isAsked(
  name: ExperienceName,
  occasion: Moment,
  earlier: readonly Pick<Occasion, "phase">[],
): boolean {
  return turnsOf[name].some((turn) => isDue(turn, occasion, earlier));
}
