import type { Brief, Experience } from "../domain/briefing.ts";
import type { EpisodeEvent } from "../domain/episode.ts";
import type { Occasion } from "../domain/experience.ts";
import type { Phase, PolicyPhase } from "../domain/phase.ts";

/** Where an episode stands as far as memories across issues go: a fold over its events. */
export interface Course {
  /** null: no phase is known yet, or there is no planner. */
  readonly phase: Phase | null;
  readonly policyPhase: PolicyPhase;
  /** Entries into a phase so far; the first tool result is the first. */
  readonly entry: number;
  readonly refining: boolean;
  readonly failure: string | null;
  /** What was said so far, in order. */
  readonly briefs: readonly Brief[];
}

export const notBegun: Course = {
  phase: null,
  policyPhase: "explore",
  entry: 0,
  refining: false,
  failure: null,
  briefs: [],
};

export function advanceCourse(course: Course, event: EpisodeEvent): Course {
  switch (event.type) {
    case "observation": {
      const { exitCode, output } = event;
      const begun = { ...course, entry: Math.max(course.entry, 1) };
      return exitCode === 0 || output.trim() === "" ? begun : { ...begun, failure: output };
    }
    case "verdict":
      if (event.verdict !== "fail") return course;
      return { ...course, refining: true, failure: event.tail || course.failure };
    case "advice":
      return advised(course, event);
    case "experience":
      return { ...course, briefs: [...course.briefs, event] };
    default:
      return course;
  }
}

function advised(
  course: Course,
  { phase, policyPhase, backtrack }: Extract<EpisodeEvent, { type: "advice" }>,
): Course {
  if (phase === null || policyPhase === null) return course;
  const enters = course.phase !== null && (backtrack || phase !== course.phase);
  return {
    ...course,
    phase,
    policyPhase,
    entry: course.entry + (enters ? 1 : 0),
    refining: course.refining || backtrack,
  };
}

/** The occasion on which memories are to be asked; null: they were asked since the newest entry. */
export function occasionOf(
  { policyPhase, entry, refining, failure, briefs }: Course,
  { target }: Pick<Experience, "target">,
): Occasion | null {
  const asked = briefs.at(-1)?.entry ?? 0;
  return entry > asked ? { target, phase: policyPhase, entry, refining, failure } : null;
}
