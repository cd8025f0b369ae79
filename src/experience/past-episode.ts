import type { EpisodeEvent, Step } from "../domain/episode.ts";
import type { IssueIdentity, PastEpisode } from "../domain/experience.ts";
import { isStep } from "../domain/model.ts";
import { searchIn } from "../domain/search-tree.ts";
import { workOf } from "./episodes/runs.ts";
import { rolloutOf } from "./swe-exp/search-rollout.ts";

/**
 * A run that has ended, as memories learn from it; `from`: the issue that it was about. null: it
 * never began, or it was a search, which runs no test, and nothing else tells whether it succeeded.
 */
export function pastEpisodeOf(
  events: readonly EpisodeEvent[],
  patch: string,
  from: IssueIdentity,
): PastEpisode | null {
  const begin = events.find((event) => event.type === "begin");
  if (begin === undefined) return null;
  const root = begin.environment.workdir;
  const search = searchIn(events);
  if (search !== null && !events.some(isVerdict)) return null;
  const done = stepsIn(events);
  const resolved = patch !== "" && isProven(events, { steps: done, root });
  const steps = search === null ? done : rolloutOf(search, resolved);
  return { from, source: begin.run, resolved, root, steps, patch };
}

/** Commands with what was thought before them; one that we ended has no status of its own. */
function stepsIn(events: readonly EpisodeEvent[]): readonly Step[] {
  const steps: Step[] = [];
  let [thought, command] = ["", ""];
  for (const event of events) {
    if (event.type === "reply" && isStep(event.purpose)) thought = event.message.content;
    if (event.type === "command") command = event.command;
    if (event.type !== "observation") continue;
    const { step: index, output, timedOut } = event;
    const exitCode = event.interrupted ? null : event.exitCode;
    steps.push({ index, thought, command, output, exitCode, timedOut });
  }
  return steps;
}

/**
 * An episode's own evidence: the newest verdict of the reproduction script, and without one the
 * newest run of tests after the last edit of source.
 */
function isProven(
  events: readonly EpisodeEvent[],
  past: Pick<PastEpisode, "steps" | "root">,
): boolean {
  const judged = events.findLast(isVerdict);
  if (judged !== undefined) return judged.verdict === "pass";
  const { runs, edits } = workOf(past);
  const tests = runs.findLast(({ kind }) => kind === "test");
  return tests?.passed === true && edits.length > 0 && tests.edits === edits.length;
}

const isVerdict = (event: EpisodeEvent): event is Extract<EpisodeEvent, { type: "verdict" }> =>
  event.type === "verdict" && event.verdict !== "undefined";
